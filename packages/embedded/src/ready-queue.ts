/** Items ready to run that wait for a slot, as a binary heap. */
export type ReadyQueue<Item> = {
  add(item: Item): void;
  /** The next item without removing it; undefined if the queue is empty. */
  first(): Item | undefined;
  /** Removes and returns the next item; undefined if the queue is empty. */
  next(): Item | undefined;
  /** Returns false if the item is not in the queue. */
  remove(item: Item): boolean;
};

/** @param isBefore a total order: of two different items exactly one is before the other. */
export function createReadyQueue<Item>(isBefore: (a: Item, b: Item) => boolean): ReadyQueue<Item> {
  const heap: Item[] = [];
  const positions = new Map<Item, number>();

  const put = (item: Item, position: number): void => {
    heap[position] = item;
    positions.set(item, position);
  };

  const rise = (item: Item, start: number): void => {
    let position = start;
    while (position > 0) {
      const parent = heap[(position - 1) >> 1];
      if (parent === undefined || !isBefore(item, parent)) break;
      put(parent, position);
      position = (position - 1) >> 1;
    }
    put(item, position);
  };

  const sink = (item: Item, start: number): void => {
    let position = start;
    for (;;) {
      const left = heap[2 * position + 1];
      const right = heap[2 * position + 2];
      const takesRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = takesRight ? right : left;
      if (child === undefined || !isBefore(child, item)) break;
      put(child, position);
      position = 2 * position + (takesRight ? 2 : 1);
    }
    put(item, position);
  };

  const remove = (item: Item): boolean => {
    const position = positions.get(item);
    if (position === undefined) return false;
    positions.delete(item);
    const last = heap.pop();
    if (last === undefined || last === item) return true;
    const parent = heap[(position - 1) >> 1];
    if (position > 0 && parent !== undefined && isBefore(last, parent)) rise(last, position);
    else sink(last, position);
    return true;
  };

  return {
    add: (item) => rise(item, heap.length),
    first: () => heap[0],
    next() {
      const first = heap[0];
      if (first !== undefined) remove(first);
      return first;
    },
    remove,
  };
}
