export {
  aCall,
  aCallContext,
  aCommandId,
  aCommandRecord,
  aFailure,
  aLeaseId,
  anOutputEvent,
  aProviderId,
  aQueueEntry,
  aSessionId,
  aSubmittedEvent,
  ended,
  SOME_TIME,
} from './builders.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createMemoryFiles, hashOf, type MemoryFiles, type MemoryFilesOptions } from './memory-files.ts';
export { createMemoryLogger, type LogLine, type MemoryLogger } from './memory-logger.ts';
export { createSeededRandom } from './seeded-random.ts';
