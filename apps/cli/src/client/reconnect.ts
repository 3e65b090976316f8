import { type Clock, UnavailableError } from '@signalbox/core';
import type { LocalAccess } from '../serve/local-access.ts';
import { pause } from '../sight/pause.ts';

/** One that stops lets others finish first; on a busy machine the next one takes its time. */
const RESTARTS_WITHIN_MS = 30_000;
const CONNECT_AGAIN_MS = 100;

/** Connects to the next coordinator after one that has gone: waits for one that stops, or that another client starts. */
export async function reconnect(
  connect: () => Promise<LocalAccess>,
  clock: Pick<Clock, 'monotonic' | 'timer'>,
): Promise<LocalAccess> {
  const until = clock.monotonic() + RESTARTS_WITHIN_MS;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (!isGone(error) || clock.monotonic() >= until) throw error;
      await pause(CONNECT_AGAIN_MS, clock);
    }
  }
}

/** The coordinator was killed, is stopping, or does not answer yet. */
export function isGone(error: unknown): boolean {
  return error instanceof UnavailableError && GONE.has(error.code);
}

const GONE: ReadonlySet<string> = new Set([
  'no-answer',
  'no-coordinator',
  'coordinator-hangs',
  'coordinator-not-started',
  'stopping',
  'workspace-held',
]);
