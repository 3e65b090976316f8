import { onTestFinished } from 'vitest';
import { type Claim, readClaim, writeClaim } from '../../leases/claim.ts';
import type { CommandId } from '../../id.ts';
import type { Lease } from '../../leases/lease.ts';
import type { Enqueued, QueueEntry, Scheduler, SchedulerLimits } from '../../ports/scheduler.ts';
import { pathResource } from '../../leases/resource.ts';
import { aCommandId, aQueueEntry } from '../builders.ts';

/** An empty scheduler, and a way to let its time pass. */
export type SchedulerHarness = {
  readonly scheduler: Scheduler;
  /** The limits in force: times may be shorter than the defaults with real time. */
  readonly limits: SchedulerLimits;
  /** Lets this much of the backend's time pass, with all its effects. */
  advance(ms: number): Promise<void>;
  /** Resolves when every possible grant has been made and reported. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

/** @param limits Those that the test needs; the others are the harness's. */
export type StartScheduler = (limits?: Partial<SchedulerLimits>) => Promise<SchedulerHarness>;

/** Limits that no test reaches. */
export const ROOMY = { maxConcurrent: 1000, maxQueuePerProvider: 1000 };

/** With real time, no lease and no wait ends under these, however busy the machine is. */
export const UNHURRIED = { maxWaitMs: 3_600_000, leaseTtlMs: 3_600_000 };

export async function openScheduler(
  start: StartScheduler,
  limits: Parameters<StartScheduler>[0],
): Promise<SchedulerHarness> {
  const harness = await start(limits);
  onTestFinished(() => harness.close());
  return harness;
}

/** A scheduler whose notices are recorded, and whose commands are named by labels. */
export async function setUp(start: StartScheduler, limits: Parameters<StartScheduler>[0]) {
  const harness = await openScheduler(start, limits);
  const { scheduler, settle, advance } = harness;
  const granted: Lease[] = [];
  const lost: CommandId[] = [];
  const stale: [CommandId, number][] = [];
  scheduler.listen({
    granted: (lease) => granted.push(lease),
    lost: ({ commandId }) => lost.push(commandId),
    stale: (commandId, waitedMs) => stale.push([commandId, waitedMs]),
  });
  const labels = new Map<CommandId, string>();

  const renewAll = async (): Promise<void> => {
    const { leases } = await scheduler.snapshot();
    await Promise.all(leases.map(({ leaseId }) => scheduler.renew(leaseId)));
  };

  return {
    ...harness,
    granted: () => granted,
    lost: () => lost,
    stale: () => stale,
    async enqueue(label: string, claims: readonly Claim[], overrides: Partial<QueueEntry> = {}) {
      const commandId = aCommandId(label);
      labels.set(commandId, label);
      const answer = await scheduler.enqueue(aQueueEntry({ commandId, claims, ...overrides }));
      await settle();
      return answer;
    },
    async finish(label: string) {
      const { leases } = await scheduler.snapshot();
      const lease = leases.find(({ commandId }) => commandId === aCommandId(label));
      if (lease === undefined) throw new Error(`${label} has no lease`);
      await scheduler.release(lease.leaseId);
      await settle();
    },
    /** Labels of all commands under a lease, sorted. */
    async running() {
      await settle();
      const { leases } = await scheduler.snapshot();
      return leases.map(({ commandId }) => labels.get(commandId) ?? commandId).toSorted();
    },
    /** Lets time pass without losing a lease. */
    async advanceRenewing(ms: number) {
      const step = scheduler.leaseTtlMs / 3;
      for (let passed = 0; passed < ms; passed += step) {
        await advance(Math.min(step, ms - passed));
        await renewAll();
      }
      await settle();
    },
  };
}

export function read(path: string): Claim {
  return readClaim(pathResource(path));
}

export function write(path: string): Claim {
  return writeClaim(pathResource(path));
}

export function waitingBehind(...labels: readonly string[]): Enqueued {
  return { kind: 'waiting', blockers: labels.map((label) => aCommandId(label)) };
}

export function leaseOf(answer: Enqueued): Lease {
  if (answer.kind !== 'granted') throw new Error(`no lease: ${answer.kind}`);
  return answer.lease;
}
