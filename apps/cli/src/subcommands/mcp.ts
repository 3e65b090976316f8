import { createId } from '@signalbox/core';
import { createMcpAgent, serveMcpStdio } from '@signalbox/server/mcp';
import * as z from 'zod';
import { ProviderArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { serveMcpHttp } from '../mcp/serve-mcp-http.ts';
import { interrupted } from '../serve/interrupted.ts';
import { joinServer } from '../serve/join-server.ts';
import { createRemoteMcpHouse } from '../serve/remote-mcp-house.ts';
import { settingsOnDisk } from '../settings/watch-settings.ts';
import { VERSION } from '../version.ts';
import { requireWorkspace } from '../workspace/find-workspace.ts';

/** `signalbox mcp --provider claude-code`: what an agent starts to work through Signalbox. */
export const mcp = defineSubcommand({
  name: 'mcp',
  args: z.object({
    provider: ProviderArgument.default(() => ProviderArgument.parse('agent')),
    http: z.boolean().default(false),
  }),
  async run({ provider, http }, context) {
    // An agent's settings that hold in every folder must not make a workspace of each.
    requireWorkspace(context.directory, 'serve an agent');
    const joined = joinServer('mcp', context);
    try {
      if (http) return await serveMcpHttp(provider, joined, context);
      // Says now, on standard error, what an agent could only guess from failing calls.
      await joined.access();
      const { settings } = await settingsOnDisk(context).load();
      const agent = serveMcpStdio(
        createMcpAgent({
          house: createRemoteMcpHouse(joined, context.clock),
          caller: { provider, sessionId: createId('session', context.random) },
          settings: () => settings.mcp,
          address: joined.address,
          version: VERSION,
          clock: context.clock,
          logger: context.log,
        }),
        context.log,
      );
      await Promise.race([agent.closed, interrupted(context)]);
      await agent.close();
    } finally {
      await joined.close();
    }
    return EXIT.ok;
  },
});
