import { createManualClock } from './manual-clock.ts';
import { commandStoreContract } from './contracts/command-store-contract.ts';
import { countersContract } from './contracts/counters-contract.ts';
import { eventLogContract } from './contracts/event-log-contract.ts';
import { factsContract } from './contracts/facts-contract.ts';
import { runStoreContract } from './contracts/run-store-contract.ts';
import { createMemoryRunStore } from './memory/memory-run-store.ts';
import { createMemoryCounters, createMemoryFacts } from './memory/memory-facts.ts';
import { createMemoryScheduler } from './memory/memory-scheduler.ts';
import { createMemoryStore } from './memory/memory-store.ts';
import { schedulerContract } from './contracts/scheduler-contract.ts';

const close = async (): Promise<void> => undefined;

schedulerContract(
  'the scheduler in memory',
  async (overrides) => {
    const clock = createManualClock();
    const limits = {
      maxConcurrent: 3,
      maxQueuePerProvider: 10,
      maxWaitMs: 600_000,
      leaseTtlMs: 30_000,
      ...overrides,
    };
    const scheduler = createMemoryScheduler(clock, limits);
    return { scheduler, limits, advance: clock.advance, settle: () => clock.advance(0), close };
  },
  { propertyRuns: 100 },
);

commandStoreContract('the store in memory', async () => ({
  ...createMemoryStore(createManualClock()),
  close,
}));

eventLogContract('the event log in memory', async () => {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock, { keep: 1100 });
  return { events, keep: 1100, overfull: 1200, settle: () => clock.advance(0), close };
});

factsContract('facts in memory', async () => ({ facts: createMemoryFacts(), close }));

countersContract('counters in memory', async () => {
  const clock = createManualClock();
  return { counters: createMemoryCounters(clock), windowMs: 3_600_000, advance: clock.advance, close };
});

runStoreContract('the run store in memory', async () => {
  const { events } = createMemoryStore(createManualClock());
  return { events, runStore: createMemoryRunStore(events), close };
});
