import type { Lease, QueueEntry, Scheduler, SchedulerListener } from '@signalbox/core';

/** Grants everything at once, ignoring claims. */
export function forgetfulScheduler(real: Scheduler): Scheduler {
  return { ...real, enqueue: (entry) => real.enqueue({ ...entry, claims: [] }) };
}

/** Reports that the third command waits, but queues it only after three others have come and gone. */
export function unjustScheduler(real: Scheduler): Scheduler {
  let listener: SchedulerListener | null = null;
  let heldBack: QueueEntry | null = null;
  let entries = 0;
  let releases = 0;

  async function letIn(entry: QueueEntry): Promise<void> {
    const answer = await real.enqueue(entry);
    if (answer.kind === 'granted') listener?.granted(answer.lease);
  }

  return {
    ...real,
    listen(heard) {
      listener = heard;
      real.listen(heard);
    },
    async enqueue(entry) {
      entries += 1;
      if (entries !== 3) return real.enqueue(entry);
      heldBack = entry;
      releases = 0;
      return { kind: 'waiting', blockers: [] };
    },
    async release(leaseId) {
      await real.release(leaseId);
      releases += 1;
      if (heldBack === null || releases < 6) return;
      const entry = heldBack;
      heldBack = null;
      await letIn(entry);
    },
  };
}

/** Never releases the fifth lease. */
export function hoardingScheduler(real: Scheduler): Scheduler {
  let released = 0;
  return {
    ...real,
    async release(leaseId: Lease['leaseId']) {
      released += 1;
      if (released !== 5) await real.release(leaseId);
    },
  };
}

/** Delays the third command by `ms` for no reason. */
export function slowScheduler(ms: number): (real: Scheduler) => Scheduler {
  return (real) => {
    let entries = 0;
    return {
      ...real,
      async enqueue(entry) {
        entries += 1;
        if (entries === 3) await new Promise((resolve) => setTimeout(resolve, ms));
        return real.enqueue(entry);
      },
    };
  };
}
