import {
  type Claim,
  type CommandRecord,
  pathResource,
  readClaim,
  treeResource,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  aQueueEntry,
  createManualClock,
  createMemoryScheduler,
} from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { queueOfRecords } from './queue-of-records.ts';

const resource = fc.constantFrom(pathResource('a'), pathResource('s/a'), treeResource('s'), WORKSPACE);
const claim: fc.Arbitrary<Claim> = fc.oneof(resource.map(readClaim), resource.map(writeClaim));
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('enqueue' as const), claims: fc.array(claim, { maxLength: 2 }) }),
  },
  fc.record({ do: fc.constant('release' as const), index: fc.nat(5) }),
);

test('the queue read from records equals the scheduler’s: leases, waiting commands and blockers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const clock = createManualClock();
      const scheduler = createMemoryScheduler(clock, { maxConcurrent: 3, maxQueuePerProvider: 100 });
      const records = new Map<string, CommandRecord>();
      scheduler.listen({
        granted(lease) {
          const record = records.get(lease.commandId);
          if (record !== undefined) records.set(record.id, { ...record, state: 'running', lease });
        },
        stale: () => undefined,
        lost: () => undefined,
      });
      for (const [n, next] of steps.entries()) {
        await clock.advance(1);
        if (next.do === 'enqueue') {
          const entry = aQueueEntry({ commandId: aCommandId(`a${n}`), claims: next.claims });
          const answer = await scheduler.enqueue(entry);
          const record = aCommandRecord({ id: entry.commandId, claims: entry.claims, queuedAt: clock.now() });
          const lease = answer.kind === 'granted' ? answer.lease : null;
          records.set(record.id, { ...record, state: lease === null ? 'queued' : 'running', lease });
        } else {
          const { leases } = await scheduler.snapshot();
          const lease = leases[next.index];
          if (lease === undefined) continue;
          await scheduler.release(lease.leaseId);
          records.delete(lease.commandId);
        }
        await clock.advance(0);
      }
      const reported = queueOfRecords([...records.values()]);
      const real = await scheduler.snapshot();
      expect(reported.waiting).toEqual(real.waiting);
      expect(reported.leases).toEqual(real.leases);
    }),
    { numRuns: 200 },
  );
});
