import { type Clock, type CommandId, type CommandResult, shortId, UnavailableError } from '@signalbox/core';
import type { Records } from '../house.ts';

const LOOK_EVERY_MS = 100;

/**
 * The result of a command that another process leads, however long it takes, as long as that process is there.
 *
 * @throws {UnavailableError} `coordinator-gone` when it is no more, and has left no result.
 */
export async function resultElsewhere(
  id: CommandId,
  { store, holder }: Pick<Records, 'store' | 'holder'>,
  clock: Clock,
): Promise<CommandResult> {
  for (;;) {
    // In this order: one that has just ended it may leave at once.
    const isLed = (await holder()) !== null;
    const result = (await store.get(id))?.result ?? null;
    if (result !== null) return result;
    if (!isLed) throw coordinatorGone(id);
    await new Promise<void>((resolve) => clock.timer(LOOK_EVERY_MS, resolve));
  }
}

function coordinatorGone(id: CommandId): UnavailableError {
  return new UnavailableError('coordinator-gone', `Cannot tell what became of ${id}: who led it is gone`, {
    why: ['files are put whole or not at all: the next start takes back what was cut off'],
    next: ['signalbox run, or serve, settles it', `signalbox status ${shortId(id)}   says what counts`],
  });
}
