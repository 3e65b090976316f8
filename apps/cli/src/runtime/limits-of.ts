import { availableParallelism } from 'node:os';
import type { SchedulerLimits, Settings } from '@signalbox/core';

/** Limits of concurrency and waiting from the settings. A lease lives 30 s. */
export function limitsOf({ execution }: Settings): SchedulerLimits {
  const { max_concurrent_executions, max_queue_size, max_wait } = execution;
  return {
    maxConcurrent: max_concurrent_executions ?? Math.max(3, availableParallelism()),
    maxQueuePerProvider: max_queue_size,
    maxWaitMs: max_wait,
    leaseTtlMs: 30_000,
  };
}
