import { basename } from 'node:path';
import type { ProviderId } from '@signalbox/core';
import { createTokenBook } from '@signalbox/server/access';
import * as z from 'zod';
import { findCoordinator } from '../client/find-coordinator.ts';
import { openCoordinator } from '../client/open-coordinator.ts';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { refuseInsideCommand } from '../frame/refuse-inside-command.ts';
import { withRecords } from '../frame/with-records.ts';
import { as, line, muted } from '../screen/line.ts';
import { interrupted } from '../serve/interrupted.ts';
import { isAnswering } from '../serve/ask-server.ts';
import { listenFlags, serveOptions } from '../serve/listen-flags.ts';
import { findLocalAccess, present } from '../serve/local-access.ts';

/** Ends the token of a process that was killed; and the process, which is of no use without it. */
const TOKEN_LIFETIME_MS = 24 * 3_600_000;

/** `signalbox mcp --http`: where an agent that speaks MCP over HTTP finds us, with a token that ends with this process. */
export async function serveMcpHttp(provider: ProviderId, context: Context): Promise<ExitCode> {
  refuseInsideCommand(context, 'make an access token');
  const port = await openPort(context);
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
  const url = `${port.url}/mcp`;
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
    await port.close();
  }
  return EXIT.ok;
}

/**
 * The port of the coordinator that runs; where none does, one of our own.
 *
 * @throws {UnavailableError} `no-server` where one runs that listens on no port.
 */
async function openPort(context: Context): Promise<Readonly<{ url: string; close(): Promise<void> }>> {
  const found = findLocalAccess(context.directory);
  if (found !== null && (await isAnswering(found))) return { url: found.url, close: async () => undefined };
  if ((await findCoordinator(context, 'serve MCP over HTTP')) !== null) present(null, 'serve MCP over HTTP');
  const { api, close } = await openCoordinator(context, { subcommand: 'mcp' });
  try {
    const anyPort = z.object(listenFlags).parse({ port: 0 });
    const { url } = await api.listen(serveOptions(anyPort, context, new AbortController().signal));
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
