import { describe } from 'vitest';
import { schedulerLeaseContract } from './scheduler-lease-contract.ts';
import { schedulerModelContract } from './scheduler-model-contract.ts';
import { schedulerQueueContract } from './scheduler-queue-contract.ts';
import { schedulerShareContract } from './scheduler-share-contract.ts';
import { type StartScheduler, UNHURRIED } from './scheduler-harness.ts';
import type { Timed } from '../timed.ts';

/** The contract of every `Scheduler` (F1–F8). */
export function schedulerContract(
  name: string,
  start: StartScheduler,
  options: Timed & { /** Of the property test; default 300. */ readonly propertyRuns?: number } = {},
): void {
  const unhurried: StartScheduler = (limits) => start({ ...UNHURRIED, ...limits });
  describe(`${name} keeps the scheduler's contract:`, () => {
    schedulerQueueContract(unhurried);
    schedulerShareContract(unhurried);
    schedulerLeaseContract(start, options);
    schedulerModelContract(unhurried, options.propertyRuns ?? 300);
  });
}
