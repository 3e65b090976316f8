import { schedulerContract } from '@signalbox/core/testing';
import { createScheduler } from './scheduler.ts';
import { schedulerStage } from './testing/scheduler-stage.ts';

schedulerContract('the embedded scheduler', schedulerStage(createScheduler));
