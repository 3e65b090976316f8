import { setImmediate as nextTurn } from 'node:timers/promises';

/** Names to examine between two turns: about 10 ms of work on a busy machine. */
const NAMES = 256;
/** Files to read or commit between two turns. */
export const FILES = 32;

/** Await this after each step of long synchronous work: it regularly yields to the event loop. */
export type Turn = () => Promise<void>;

/** @param steps Steps between two turns. */
export function createTurns(steps = NAMES): Turn {
  let done = 0;
  return async () => {
    done += 1;
    if (done % steps === 0) await nextTurn();
  };
}

/** Like `flatMap`, yielding between items. A callback with many steps awaits `turn` itself. */
export async function flatMapInTurns<Item, Found>(
  items: Iterable<Item>,
  look: (item: Item, turn: Turn) => readonly Found[] | Promise<readonly Found[]>,
): Promise<Found[]> {
  const turn = createTurns();
  const all: Found[] = [];
  for (const item of items) {
    for (const found of await look(item, turn)) all.push(found);
    await turn();
  }
  return all;
}
