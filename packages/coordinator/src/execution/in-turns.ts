import { setImmediate as nextTurn } from 'node:timers/promises';

/** Some 10 ms of looks at a change, on a busy machine. */
const LOOKS = 128;

/** As `flatMap` does; every so often the rest of the process has its turn, since a command may change 500,000 files. */
export async function flatMapInTurns<Item, Found>(
  items: readonly Item[],
  look: (item: Item) => readonly Found[],
): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (const [at, item] of items.entries()) {
    for (const found of look(item)) all.push(found);
    if ((at + 1) % LOOKS === 0) await nextTurn();
  }
  return all;
}
