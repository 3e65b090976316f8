import type { SchedulerLimits } from '@signalbox/core';
import { createManualClock, createSeededRandom } from '@signalbox/core/testing';
import type { createScheduler } from '../scheduler.ts';

/** Adapts an implementation (this one or a mutant of it) to the scheduler contracts, on a clock that they move. */
export function schedulerHarness(create: typeof createScheduler) {
  return async (wishes: Partial<SchedulerLimits> = {}) => {
    const clock = createManualClock();
    const limits = {
      maxConcurrent: 3,
      maxQueuePerProvider: 10,
      maxWaitMs: 600_000,
      leaseTtlMs: 30_000,
      ...wishes,
    };
    const scheduler = create({ limits, clock, random: createSeededRandom() });
    return {
      scheduler,
      limits,
      advance: (ms: number) => clock.advance(ms),
      settle: () => clock.advance(0),
      close: async () => scheduler.close(),
    };
  };
}
