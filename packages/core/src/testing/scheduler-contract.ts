import { describe } from 'vitest';
import { schedulerLeaseContract } from './scheduler-lease-contract.ts';
import { schedulerModelContract } from './scheduler-model-contract.ts';
import { schedulerQueueContract } from './scheduler-queue-contract.ts';
import { schedulerShareContract } from './scheduler-share-contract.ts';
import type { StartScheduler } from './scheduler-stage.ts';

/** What every `Scheduler` promises (F1–F8). */
export function schedulerContract(
  name: string,
  start: StartScheduler,
  options: { /** Of the property test; default 300. */ readonly propertyRuns?: number } = {},
): void {
  describe(`${name} keeps the scheduler's contract:`, () => {
    schedulerQueueContract(start);
    schedulerShareContract(start);
    schedulerLeaseContract(start);
    schedulerModelContract(start, options.propertyRuns ?? 300);
  });
}
