import { randomBytes } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { type Clock, UnavailableError } from '@signalbox/core';
import { identityOf, leaveLock, type LockHolder, takeLock } from '@signalbox/embedded';

/** Poll interval to detect a killed holder; the folder watch covers everything else. */
const POLL_EVERY_MS = 250;

/**
 * Does the work while holding a lock file, and waits for another holder. A lock left by a dead process is taken over.
 *
 * @throws {UnavailableError} `start-locked` if the lock is not free within `withinMs`
 */
export async function withFileLock<Done>(
  path: string,
  { clock, withinMs, subcommand }: Readonly<{ clock: Clock; withinMs: number; subcommand: string }>,
  work: () => Promise<Done>,
): Promise<Done> {
  const holder: LockHolder = {
    nonce: randomBytes(12).toString('hex'),
    process: await identityOf(process.pid, hostname()),
    startedAt: clock.now(),
    subcommand,
  };
  const until = clock.monotonic() + withinMs;
  for (;;) {
    // Other waiters write files of their own beside it: woken by these, they would wake each other for ever.
    const changed = nextChange(dirname(path), clock, (name) => name === null || name === basename(path));
    const answer = await takeLock(path, holder);
    if (answer.kind === 'taken') {
      changed.ignore();
      break;
    }
    if (clock.monotonic() >= until) {
      changed.ignore();
      throw held(path, withinMs, answer.holder);
    }
    await changed.promise;
  }
  try {
    return await work();
  } finally {
    await leaveLock(path, holder.nonce);
  }
}

/**
 * Settles at the next change in a folder, or after 250 ms. Call it before reading the folder, so that no change is
 * missed.
 *
 * @param isMeant Filters by name. Default: all names.
 */
export function nextChange(
  folder: string,
  clock: Pick<Clock, 'timer'>,
  isMeant: (name: string | null) => boolean = () => true,
): Readonly<{ promise: Promise<void>; ignore: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watchOf(folder, (name) => {
    if (isMeant(name)) resolve();
  });
  const cancel = clock.timer(POLL_EVERY_MS, resolve);
  const ignore = (): void => {
    cancel();
    watcher?.close();
    resolve();
  };
  return { promise: promise.finally(ignore), ignore };
}

/** Null if the folder is gone or the system has no watch left: only the timeout counts then. */
function watchOf(folder: string, onChange: (name: string | null) => void): FSWatcher | null {
  try {
    return watch(folder, { persistent: false }, (_, name) => onChange(name)).on('error', () => undefined);
  } catch {
    return null;
  }
}

function held(path: string, withinMs: number, holder: LockHolder | null): UnavailableError {
  const who = holder === null ? 'its lock cannot be read' : `process ${holder.process.pid} is starting one`;
  return new UnavailableError(
    'start-locked',
    'Cannot start the coordinator: another process is starting it',
    {
      why: [`${who}, for more than ${withinMs / 1000} s`],
      next: ['try again', `rm "${path}"   if none of your processes is starting one`],
    },
  );
}
