import { join } from 'node:path';
import { type Clock, UnavailableError } from '@signalbox/core';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { STATE_FOLDER } from '../runtime/workspace/state-folder.ts';
import { RECORD, RUN_FOLDER } from '../runtime/server/coordinator-record.ts';
import { nextChange } from '../runtime/server/with-file-lock.ts';

/** A stopping coordinator lets commands finish first; on a busy machine its successor takes time. */
const RESTARTS_WITHIN_MS = 30_000;

/**
 * Connects to the successor of a lost coordinator: waits for one that is stopping, or that another client starts. Each
 * then writes or removes its record; locks of a killed one are polled every 250 ms.
 */
export async function reconnect(
  connect: () => Promise<LocalAccess>,
  { directory, clock }: Readonly<{ directory: string; clock: Pick<Clock, 'monotonic' | 'timer'> }>,
): Promise<LocalAccess> {
  const until = clock.monotonic() + RESTARTS_WITHIN_MS;
  const folder = join(directory, STATE_FOLDER, RUN_FOLDER);
  for (;;) {
    // Our own tries change the lock and the log.
    const changed = nextChange(folder, clock, (name) => name === RECORD);
    try {
      return await connect();
    } catch (error) {
      if (!isGone(error) || clock.monotonic() >= until) throw error;
      await changed.promise;
    } finally {
      changed.ignore();
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
