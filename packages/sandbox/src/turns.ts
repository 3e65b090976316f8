import { setImmediate as nextTurn } from 'node:timers/promises';

/** Looks at a name, or puts one: some 10 ms of work on a busy machine. */
const STEPS = 256;

/** To be awaited after each step of long work that waits for nothing: every so often the rest of the process has its turn. */
export type Turn = () => Promise<void>;

export function createTurns(): Turn {
  let done = 0;
  return async () => {
    done += 1;
    if (done % STEPS === 0) await nextTurn();
  };
}

/** As `flatMap` does, in turns. */
export async function flatMapInTurns<Item, Found>(
  items: readonly Item[],
  look: (item: Item) => readonly Found[],
): Promise<Found[]> {
  const turn = createTurns();
  const all: Found[] = [];
  for (const item of items) {
    for (const found of look(item)) all.push(found);
    await turn();
  }
  return all;
}
