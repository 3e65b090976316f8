import { createReadyQueue, type ReadyQueue } from './ready-queue.ts';

/**
 * Items ready to run that wait for a slot. Each provider has its own queue, and the heads of the queues are compared
 * each time a slot is free: what a provider holds changes its turn, not the order within its queue.
 *
 * @param isBefore a total order; between items of one provider it never changes
 */
export function createSlotQueue<Item>(
  providerOf: (item: Item) => string,
  isBefore: (a: Item, b: Item) => boolean,
): Omit<ReadyQueue<Item>, 'first'> {
  const queues = new Map<string, ReadyQueue<Item>>();

  const remove = (item: Item): boolean => {
    const queue = queues.get(providerOf(item));
    if (queue === undefined || !queue.remove(item)) return false;
    if (queue.first() === undefined) queues.delete(providerOf(item));
    return true;
  };

  return {
    remove,
    add(item) {
      const provider = providerOf(item);
      let queue = queues.get(provider);
      if (queue === undefined) queues.set(provider, (queue = createReadyQueue(isBefore)));
      queue.add(item);
    },
    next() {
      let next: Item | undefined;
      for (const queue of queues.values()) {
        const first = queue.first();
        if (first !== undefined && (next === undefined || isBefore(first, next))) next = first;
      }
      if (next !== undefined) remove(next);
      return next;
    },
  };
}
