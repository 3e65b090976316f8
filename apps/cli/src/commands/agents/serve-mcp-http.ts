import { basename } from 'node:path';
import type { ProviderId } from '@signalbox/core';
import { createTokenRegistry } from '@signalbox/server/access';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { ANY_PORT, openPort } from '../../client/open-port.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { withRecords } from '../../client/readers/with-records.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { interrupted } from '../../live/interrupted.ts';

/** Revokes the token of a killed process; and ends the process, which is useless without it. */
const TOKEN_LIFETIME_MS = 24 * 3_600_000;

/** `signalbox mcp --http`: a port and a token for an agent that speaks MCP over HTTP; both end with this process. */
export async function serveMcpHttp(provider: ProviderId, context: Context): Promise<ExitCode> {
  refuseInsideCommand(context, 'make an access token');
  const access = await connectCoordinator(context, { what: 'serve MCP over HTTP', start: true });
  const port = await openPort(access, ANY_PORT);
  const { clock, random } = context;
  const made = await withRecords(context, ({ facts }) =>
    createTokenRegistry({ facts, clock, random }).create({
      kind: 'made',
      name: provider,
      role: 'provider',
      provider,
      lifetimeMs: TOKEN_LIFETIME_MS,
    }),
  );
  const url = `${port.url}/mcp`;
  const header = `Authorization: Bearer ${made.token}`;
  context.json({ event: 'mcp.started', url, provider, accessToken: made.token });
  context.print([line(url), line(header)]);
  context.say([
    line(as('bold', basename(context.directory)), ' · MCP over HTTP for ', as('accent', provider)),
    line(muted('The token is shown only once and expires when this stops (Ctrl-C)')),
  ]);
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const cancelTimer = clock.timer(TOKEN_LIFETIME_MS, resolve);
  let isOurs: boolean;
  try {
    const ended = Promise.race([interrupted(context), expired]);
    isOurs = await Promise.race([ended.then(() => true), port.closed.then(() => false)]);
  } finally {
    cancelTimer();
    await withRecords(context, ({ facts }) =>
      createTokenRegistry({ facts, clock, random }).revoke(({ id }) => id === made.entry.id),
    );
    port.close();
  }
  if (isOurs) return EXIT.ok;
  context.tell([line(as('warn', 'the coordinator has stopped'), ', so the port is closed')]);
  return EXIT.unavailable;
}
