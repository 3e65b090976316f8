import {
  createId,
  createSystemClock,
  type LeaseId,
  pathResource,
  type ProviderId,
  type QueueEntry,
  type RandomBytes,
  type Resource,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import { createScheduler } from '../scheduler.ts';

const random = countingBytes();

export const LOADS = {
  'different files': (n: number) => pathResource(`src/module-${n % 20}/file-${n % 997}.ts`),
  'the same file': () => HOT,
  'files and now and then the workspace': (n: number) =>
    n % 50 === 0 ? WORKSPACE : LOADS['different files'](n),
};

const HOT = pathResource('src/deep/hot.ts');

/** A queue with `waiting` commands behind one file. */
export async function queueOf(waiting: number) {
  const { scheduler, submit, finishNext } = newScheduler();
  for (let n = 0; n <= waiting; n++) await submit(entryFor(n, HOT));
  return {
    close: scheduler.close,
    /** Its steps, ready to run: each runs one unrelated command, adds one that waits for the file and cancels one. */
    steps(count: number): () => Promise<void> {
      const beside = Array.from({ length: count }, (_, n) => entryFor(n, LOADS['different files'](n)));
      const behind = Array.from({ length: count }, (_, n) => entryFor(n, HOT));
      return async () => {
        for (const [n, entry] of beside.entries()) {
          const answer = await scheduler.enqueue(entry);
          if (answer.kind === 'granted') await scheduler.release(answer.lease.leaseId);
          await submit(behind[n] ?? entry);
          await finishNext();
        }
      };
    },
  };
}

export function newScheduler() {
  const scheduler = createScheduler({
    limits: { maxConcurrent: 50, maxQueuePerProvider: 1_000_000, maxWaitMs: 600_000, leaseTtlMs: 30_000 },
    clock: createSystemClock(),
    random,
  });
  const granted: LeaseId[] = [];
  let finished = 0;
  scheduler.listen({
    granted: ({ leaseId }) => void granted.push(leaseId),
    lost: () => undefined,
    stale: () => undefined,
  });
  return {
    scheduler,
    async submit(entry: QueueEntry): Promise<void> {
      const answer = await scheduler.enqueue(entry);
      if (answer.kind === 'granted') granted.push(answer.lease.leaseId);
    },
    /** Releases the oldest lease; returns false if there is none. */
    async finishNext(): Promise<boolean> {
      const leaseId = granted[finished];
      if (leaseId === undefined) return false;
      finished += 1;
      await scheduler.release(leaseId);
      return true;
    },
  };
}

export function entryFor(n: number, resource: Resource): QueueEntry {
  return {
    commandId: createId('command', random),
    provider: `provider-${n % 5}` as ProviderId,
    claims: [writeClaim(resource)],
    priority: 100,
  };
}

/** Deterministic ids: the cost of real randomness is not measured. */
function countingBytes(): RandomBytes {
  let count = 0;
  return (length) => {
    count += 1;
    const bytes = new Uint8Array(length);
    for (let i = 1, rest = count; i < length; i++, rest = Math.floor(rest / 32)) bytes[i] = rest % 32;
    return bytes;
  };
}
