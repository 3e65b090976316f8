/**
 * The shortest part of a list that still fails, as far as it can be found (delta debugging, Zeller's ddmin): halves,
 * then quarters and so on are tried alone, then left out. The result always failed when it was last tried.
 *
 * @param fails Tries a part, in the order of the list.
 * @param isOver Checked before each try: when true, the result is the best so far.
 */
export async function shrinkSchedule<Item>(
  list: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<readonly Item[]> {
  let best = list;
  let parts = 2;
  while (best.length > 1 && !isOver()) {
    const smaller = await firstFailing(candidatesOf(best, parts), fails, isOver);
    if (smaller !== undefined) {
      parts = smaller.isComplement ? Math.max(2, parts - 1) : 2;
      best = smaller.items;
    } else if (parts >= best.length) return best;
    else parts = Math.min(best.length, parts * 2);
  }
  return best;
}

type Candidate<Item> = Readonly<{ items: readonly Item[]; isComplement: boolean }>;

/** Each part by itself, then all but each part. */
function candidatesOf<Item>(list: readonly Item[], parts: number): readonly Candidate<Item>[] {
  const size = Math.ceil(list.length / parts);
  const starts = Array.from({ length: Math.ceil(list.length / size) }, (_, n) => n * size);
  const alone = starts.map((start) => ({ items: list.slice(start, start + size), isComplement: false }));
  const without = starts.map((start) => ({
    items: [...list.slice(0, start), ...list.slice(start + size)],
    isComplement: true,
  }));
  return [...alone, ...without].filter(({ items }) => items.length > 0 && items.length < list.length);
}

async function firstFailing<Item>(
  candidates: readonly Candidate<Item>[],
  fails: (part: readonly Item[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<Candidate<Item> | undefined> {
  for (const candidate of candidates) {
    if (isOver()) return undefined;
    if (await fails(candidate.items)) return candidate;
  }
  return undefined;
}
