import { setImmediate as nextTurn } from 'node:timers/promises';

/** Looks at a name: some 10 ms of work on a busy machine. */
const LOOKS = 256;
/** Reads a file, or puts one. */
export const FILES = 32;

/** To be awaited after each step of long work that waits for nothing: every so often the rest of the process has its turn. */
export type Turn = () => Promise<void>;

/** @param steps So many of the work between two turns. */
export function createTurns(steps = LOOKS): Turn {
  let done = 0;
  return async () => {
    done += 1;
    if (done % steps === 0) await nextTurn();
  };
}

/** As `flatMap` does, in turns; a look that takes many steps awaits them itself. */
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
