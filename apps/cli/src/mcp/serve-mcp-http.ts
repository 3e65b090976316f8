import { basename } from 'node:path';
import type { ProviderId } from '@signalbox/core';
import { createTokenBook } from '@signalbox/server/access';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { refuseInsideCommand } from '../frame/with-remote.ts';
import { withRecords } from '../frame/with-records.ts';
import { as, line, muted } from '../screen/line.ts';
import { interrupted } from '../serve/interrupted.ts';
import type { JoinedServer } from '../serve/join-server.ts';

/** Ends the token of a process that was killed; and the process, which is of no use without it. */
const TOKEN_LIFETIME_MS = 24 * 3_600_000;

/** `signalbox mcp --http`: where an agent that speaks MCP over HTTP finds us, with a token that ends with this process. */
export async function serveMcpHttp(
  provider: ProviderId,
  joined: JoinedServer,
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'make an access token');
  const { url: server } = await joined.access();
  const { clock, random } = context;
  const made = await withRecords(context, ({ facts }) =>
    createTokenBook({ facts, clock, random }).create({
      kind: 'made',
      name: provider,
      role: 'provider',
      provider,
      lifetimeMs: TOKEN_LIFETIME_MS,
    }),
  );
  const url = `${server}/mcp`;
  const header = `Authorization: Bearer ${made.token}`;
  context.json({ event: 'mcp.started', url, provider, accessToken: made.token });
  context.print([line(url), line(header)]);
  context.say([
    line(as('bold', basename(context.directory)), ' · MCP over HTTP for ', as('accent', provider)),
    line(muted('The token is shown this once and ends with this: Ctrl-C')),
  ]);
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  // Beside another process's server nothing else keeps this one alive.
  const cancelTimer = clock.timer(TOKEN_LIFETIME_MS, resolve);
  try {
    await Promise.race([interrupted(context), expired]);
  } finally {
    cancelTimer();
    await withRecords(context, ({ facts }) =>
      createTokenBook({ facts, clock, random }).revoke(({ id }) => id === made.entry.id),
    );
  }
  return EXIT.ok;
}
