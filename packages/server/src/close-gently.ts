import type { Clock } from '@signalbox/core';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 20;
/** For requests that are being answered, such as those that wait for a command. */
const GRACE_MS = 2000;

/**
 * Takes nothing new, lets requests end, and closes each connection as soon as it rests: a client that keeps its
 * connection open, or never reads, holds nobody up for longer than 2 s.
 */
export async function closeGently(app: FastifyInstance, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + GRACE_MS;
  let cancel = clock.timer(0, look);
  try {
    await app.close();
  } finally {
    cancel();
  }

  function look(): void {
    if (clock.monotonic() < deadline) app.server.closeIdleConnections();
    else app.server.closeAllConnections();
    cancel = clock.timer(LOOK_EVERY_MS, look);
  }
}
