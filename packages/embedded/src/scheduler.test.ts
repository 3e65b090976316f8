import { createManualClock, createSeededRandom, schedulerContract } from '@signalbox/core/testing';
import { createScheduler } from './scheduler.ts';

schedulerContract('the embedded scheduler', async (wishes) => {
  const clock = createManualClock();
  const limits = {
    maxConcurrent: 3,
    maxQueuePerProvider: 10,
    maxWaitMs: 600_000,
    leaseTtlMs: 30_000,
    ...wishes,
  };
  const scheduler = createScheduler({ limits, clock, random: createSeededRandom() });
  return {
    scheduler,
    limits,
    advance: (ms) => clock.advance(ms),
    settle: () => clock.advance(0),
    close: async () => scheduler.close(),
  };
});
