import { schedulerContract } from '@signalbox/core/testing';
import { createScheduler } from './scheduler.ts';
import { schedulerHarness } from './testing/scheduler-harness.ts';

schedulerContract('the embedded scheduler', schedulerHarness(createScheduler));
