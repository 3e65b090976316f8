import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReadyQueue, type Ready } from './ready-queue.ts';

test('after any additions and removals next() is the lowest priority, then the earliest arrival', () => {
  const someSteps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('add' as const), value: fc.nat(3) }),
      fc.record({ kind: fc.constant('remove' as const), value: fc.nat() }),
      fc.record({ kind: fc.constant('next' as const), value: fc.nat(0) }),
    ),
    { maxLength: 100 },
  );
  fc.assert(
    fc.property(someSteps, (steps) => {
      const queue = createReadyQueue<Ready>();
      let model: readonly Ready[] = [];
      const take = (kind: 'next' | 'remove', chosen: Ready | undefined): unknown => {
        if (kind === 'next') return queue.next();
        // The second time it is not there any more.
        return chosen !== undefined && queue.remove(chosen) && !queue.remove(chosen) ? chosen : undefined;
      };
      for (const [arrival, { kind, value }] of steps.entries()) {
        if (kind === 'add') {
          const item = { priority: value, arrival };
          queue.add(item);
          model = [...model, item].toSorted((a, b) => a.priority - b.priority || a.arrival - b.arrival);
          continue;
        }
        const chosen = kind === 'next' ? model[0] : model[value % model.length];
        expect(take(kind, chosen)).toBe(chosen);
        model = model.filter((item) => item !== chosen);
      }
      for (const item of model) expect(queue.next()).toBe(item);
      expect(queue.next()).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
