import type { McpServerSettings, Settings, Tool } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';

/** A server as far as it is known without starting it. */
export type KnownServer = Readonly<{
  name: string;
  settings: McpServerSettings;
  /** `ready`, or its last known state in words. */
  state: string;
  tools: readonly Tool[];
  leftOut: readonly string[];
}>;

/** The MCP servers of the settings, with the tools last listed: nothing is started. */
export async function knownServers(
  { mcp_servers: servers }: Settings,
  { entry, directory, env }: Pick<Context, 'entry' | 'directory' | 'env'>,
): Promise<readonly KnownServer[]> {
  const named = Object.entries(servers);
  if (named.length === 0) return [];
  const { identityOf, storedLetRun, storedServer, toTool } = await import('@signalbox/mcp-tools');
  const records = await entry.openRecords({ workspace: directory, env });
  try {
    return await Promise.all(named.map(([name, settings]) => known(name, settings)));
  } finally {
    await records?.close();
  }

  async function known(name: string, settings: McpServerSettings): Promise<KnownServer> {
    const found = records === null ? null : await storedServer(records.facts, name);
    const stored = found?.identity === identityOf(settings) ? found : null;
    const letRun = records === null ? {} : await storedLetRun(records.facts, name);
    const unstarted = {
      name,
      settings,
      client: never,
      broken: never,
      takenBack: never,
      letRun: never,
      definitionOf: never,
    };
    return {
      name,
      settings,
      state: stateOf(settings, stored?.state),
      leftOut: stored?.leftOut ?? [],
      tools: (settings.isAgreed ? (stored?.tools ?? []) : [])
        .filter(({ theirs }) => settings.tools[theirs]?.enabled !== false)
        .map((tool) =>
          toTool(tool, letRun[tool.name] !== undefined && letRun[tool.name] !== tool.definition, unstarted),
        ),
    };
  }
}

function stateOf({ enabled, isAgreed }: McpServerSettings, stored: string | undefined): string {
  if (!enabled) return 'off';
  if (!isAgreed) return 'not started: not trusted here';
  return stored ?? 'not started yet';
}

/** Listed tools are shown, never called. */
function never(): never {
  throw new Error('this tool is only listed');
}
