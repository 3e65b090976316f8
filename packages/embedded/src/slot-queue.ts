import { createReadyQueue, type ReadyQueue } from './ready-queue.ts';

/**
 * Those who may run and wait for a place. Each provider has a queue of its own, and the first of these queues
 * are compared anew whenever a place is free: what a provider holds changes its turn, not the order within.
 *
 * @param isBefore a total order, which for items of one provider never changes
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
