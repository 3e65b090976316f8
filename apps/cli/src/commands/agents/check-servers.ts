import { errorText, type McpServerSettings, type Settings } from '@signalbox/core';
import type { OpenClient } from '@signalbox/mcp-tools';
import type { Context } from '../../runtime/contract/context.ts';
import { withTrialOptions } from '../../runtime/probe-isolation.ts';
import type { DoctorCheck } from '../../views/doctor-view.ts';
import { createOpener } from '../../runtime/open-mcp-tools.ts';
import { reachInWords, rightsInWords } from './server-words.ts';

/** Connects to every server that may start, lists its tools, and disconnects. */
export async function checkServers(
  { mcp_servers: servers }: Settings,
  { directory, env, clock }: Pick<Context, 'directory' | 'env' | 'clock'>,
): Promise<readonly DoctorCheck[]> {
  const enabled = Object.entries(servers).filter(([, settings]) => settings.enabled);
  const probe = { workspace: directory, path: env['PATH'], clock, container: null };
  return withTrialOptions(probe, async ({ workspace, stateFolder: folder }) => {
    const open = await createOpener({ workspace, folder, unconfined: false, apiKeys: env, clock });
    return Promise.all(enabled.map(([name, settings]) => checkServer(name, settings, open)));
  });
}

async function checkServer(
  name: string,
  settings: McpServerSettings,
  open: OpenClient,
): Promise<DoctorCheck> {
  let left: readonly string[] = [];
  const { identityOf, readListing } = await import('@signalbox/mcp-tools');
  const id = `mcp ${name}`;
  const { reach, source, startTimeoutMs: timeoutMs } = settings;
  if (!settings.isAgreed) {
    const why = `not started: ${source} names it (${reachInWords(settings)}), and it is not trusted here`;
    return { id, ok: false, stops: false, why, fix: `signalbox tools trust ${name}` };
  }
  try {
    const client = await open({
      reach,
      mode: 'auto',
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
      onChanged: () => undefined,
      onTakenBack: (why) => (left = why),
    });
    await client.close();
    const { tools, leftOut } = readListing({ server: name, identity: identityOf(settings) }, client.tools);
    const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
    const why = [
      `${count}, ${rightsInWords(settings)}`,
      ...leftOut.map((tool) => `left out ${tool}`),
      ...left,
    ].join('; ');
    return { id, ok: left.length === 0, stops: false, why };
  } catch (error) {
    const why = errorText(error);
    return {
      id,
      ok: false,
      stops: false,
      why: `${reachInWords(settings)}: ${why}`,
      fix: `check mcp_servers.${name} in ${source}`,
    };
  }
}
