import { homedir } from 'node:os';
import type { Facts, Logger, Settings } from '@signalbox/core';
import type { McpTools, OpenClient } from '@signalbox/mcp-tools';
import { createServices, type ExecutorOptions } from '@signalbox/sandbox';
import type { RuntimeOptions } from './contract/runtime.ts';
import { ownEnvironment } from './own-environment.ts';
import { createNamedFiles } from './workspace/project-facts.ts';
import { VERSION } from './contract/version.ts';

type Variables = RuntimeOptions['apiKeys'];

/**
 * Starts the MCP servers that the settings name and the user agreed to, in the background; null if there are none. The
 * protocol's client is large: a coordinator without servers does not load it.
 */
export async function openMcpTools(
  parts: Pick<RuntimeOptions, 'workspace' | 'settings' | 'unconfined' | 'apiKeys' | 'clock'> &
    Pick<ExecutorOptions, 'isDenied' | 'readView' | 'runningCalls'> & {
      /** The workspace's `.signalbox`. */
      readonly folder: string;
      readonly facts: Facts;
      readonly logger: Logger;
    },
): Promise<McpTools | null> {
  const { settings, facts, clock, logger } = parts;
  const servers = settings.mcp_servers;
  if (!Object.values(servers).some(({ enabled }) => enabled)) return null;
  const { createMcpTools } = await import('@signalbox/mcp-tools');
  return createMcpTools({ servers, open: await createOpener(parts), facts, clock, logger });
}

/** Connects to servers as the coordinator of a workspace would. */
export async function createOpener({
  workspace,
  folder,
  unconfined,
  apiKeys,
  isDenied,
  readView,
  runningCalls,
  clock,
}: Omit<Parameters<typeof openMcpTools>[0], 'settings' | 'facts' | 'logger'>): Promise<OpenClient> {
  const { createOpenClient } = await import('@signalbox/mcp-tools');
  const services = createServices({
    workspace,
    stateFolder: folder,
    ...(await ownEnvironment(apiKeys, workspace)),
    home: homedir(),
    confinement: unconfined ? 'off-by-operator' : 'required',
    clock,
    namedFiles: createNamedFiles(workspace),
    ...(runningCalls === undefined ? {} : { runningCalls }),
    ...(isDenied === undefined ? {} : { isDenied }),
    ...(readView === undefined ? {} : { readView }),
  });
  return createOpenClient({ services, env: apiKeys, isConfined: !unconfined, version: VERSION, clock });
}

/** Environment values passed to servers: they must appear nowhere, whatever a server prints. */
export function secretsOfServers({ mcp_servers: servers }: Settings, env: Variables): string[] {
  const names = Object.values(servers).flatMap(({ reach }) =>
    reach.kind === 'stdio'
      ? reach.envFrom
      : [...Object.values(reach.headersFrom), ...(reach.tokenFrom === null ? [] : [reach.tokenFrom])],
  );
  return names.flatMap((name) => env[name] ?? []);
}
