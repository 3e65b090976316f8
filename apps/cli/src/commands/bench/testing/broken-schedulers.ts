import type { Lease, QueueEntry, Scheduler, SchedulerListener } from '@signalbox/core';

/** Lets everybody in at once: what claims are for is forgotten. */
export function forgetfulScheduler(real: Scheduler): Scheduler {
  return { ...real, enqueue: (entry) => real.enqueue({ ...entry, claims: [] }) };
}

/** Says of the third command that it waits, and puts it into the queue when three others have come and gone. */
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

/** Keeps the fifth lease for ever. */
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

/** Has the third command wait `ms` for nobody. */
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
