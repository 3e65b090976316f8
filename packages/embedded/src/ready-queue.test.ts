import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReadyQueue } from './ready-queue.ts';

type Ready = { readonly priority: number; readonly arrival: number };

test('after any additions and removals next() returns the first item in order', () => {
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
      const queue = createReadyQueue<Ready>((a, b) => inOrder(a, b) < 0);
      let model: readonly Ready[] = [];
      const take = (kind: 'next' | 'remove', chosen: Ready | undefined): unknown => {
        if (kind === 'next') return queue.next();
        // The second removal finds nothing.
        return chosen !== undefined && queue.remove(chosen) && !queue.remove(chosen) ? chosen : undefined;
      };
      for (const [arrival, { kind, value }] of steps.entries()) {
        if (kind === 'add') {
          const item = { priority: value, arrival };
          queue.add(item);
          model = [...model, item].toSorted(inOrder);
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

function inOrder(a: Ready, b: Ready): number {
  return a.priority - b.priority || a.arrival - b.arrival;
}
