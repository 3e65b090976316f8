import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createId } from '@signalbox/core';
import { createMcpAgent, createStartFolder, serveMcpStdio } from '@signalbox/server/mcp';
import * as z from 'zod';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { ProviderArgument } from '../table/argument-schemas.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { createMcpBridge } from './mcp-bridge.ts';
import { serveMcpHttp } from './serve-mcp-http.ts';
import { interrupted } from '../../live/interrupted.ts';
import { settingsOnDisk, watchSettings } from '../../runtime/settings/watch-settings.ts';
import { VERSION } from '../../runtime/contract/version.ts';
import { requireWorkspace } from '../../runtime/workspace/find-workspace.ts';

/** `signalbox mcp --provider claude-code`: started by an agent to work through Signalbox. */
export const mcp = defineSubcommand({
  name: 'mcp',
  args: z.object({
    provider: ProviderArgument.default(() => ProviderArgument.parse('agent')),
    http: z.boolean().default(false),
  }),
  async run({ provider, http }, context) {
    // An agent's global settings must not make every folder a workspace.
    requireWorkspace(context.directory, 'serve an agent');
    if (http) return serveMcpHttp(provider, context);
    const connect = () => connectCoordinator(context, { what: 'serve an agent', start: true });
    // Reports now, on standard error, what an agent could only guess from failing calls.
    await connect();
    const onDisk = settingsOnDisk(context);
    let { settings } = await onDisk.load();
    const stopWatching = watchSettings(
      onDisk,
      {
        changed(loaded) {
          settings = loaded.settings;
        },
        // The coordinator says why; the previous settings stay in effect.
        refused: () => undefined,
      },
      { clock: context.clock },
    );
    const runtime = createMcpBridge(connect, context);
    const agent = serveMcpStdio(
      createMcpAgent({
        runtime,
        caller: { provider, sessionId: createId('session', context.random) },
        settings: () => settings.mcp,
        address: runtime.address,
        version: VERSION,
        start: createStartFolder({
          startedIn: folderWithin(context.directory, context.startedIn),
          logger: context.log,
        }),
        isFolder: async (path) =>
          (await stat(join(context.directory, path)).catch(() => null))?.isDirectory() === true,
        clock: context.clock,
        logger: context.log,
      }),
      context.log,
    );
    await Promise.race([agent.closed, interrupted(context)]);
    stopWatching();
    await agent.close();
    return EXIT.ok;
  },
});

/** Relative; `.` also for a folder elsewhere, which has no files of the workspace. */
function folderWithin(workspace: string, folder: string): string {
  const found = relative(workspace, realpathSync(folder));
  return found === '' || found.startsWith('..') ? '.' : found;
}
