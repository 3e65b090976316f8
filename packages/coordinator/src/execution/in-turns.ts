import { setImmediate as nextTurn } from 'node:timers/promises';

/** Examining this many changes takes some 10 ms on a busy machine. */
const BATCH = 128;

/** Like `flatMap`, but yields to the event loop regularly, since a command may change 500,000 files. */
export async function flatMapInTurns<Item, Found>(
  items: readonly Item[],
  examine: (item: Item) => readonly Found[],
): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (const [at, item] of items.entries()) {
    for (const found of examine(item)) all.push(found);
    if ((at + 1) % BATCH === 0) await nextTurn();
  }
  return all;
}
