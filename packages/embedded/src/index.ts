export { createEmbeddedBackend, type EmbeddedBackend, type EmbeddedBackendOptions } from './backend.ts';
export { createScheduler, type EmbeddedScheduler, type SchedulerOptions } from './scheduler.ts';
export { createSystemClock } from './system-clock.ts';
