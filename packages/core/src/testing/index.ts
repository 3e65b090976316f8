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
export {
  type BackgroundCoordinator,
  backgroundCoordinators,
  killCoordinators,
  killNow,
} from './background-coordinators.ts';
export { aShellRequest, executorContract, type ExecutorUnderTest } from './executor-contract.ts';
export { type ExampleRun, runReadmeExample } from './readme-example.ts';
export { filesContract, type FilesSeed, type FilesUnderTest } from './files-contract.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createMemoryFiles, hashOf, type MemoryFiles, type MemoryFilesOptions } from './memory-files.ts';
export { createMemoryCounters, createMemoryFacts } from './memory-facts.ts';
export { createMemoryInspector } from './memory-inspector.ts';
export { inspectorContract } from './inspector-contract.ts';
export { createMemoryScheduler } from './memory-scheduler.ts';
export { createMemoryStore } from './memory-store.ts';
export { createMemoryLogger, type LogLine, type MemoryLogger } from './memory-logger.ts';
export { createMemoryNodes, type MemoryNodes } from './memory-nodes.ts';
export { createSeededRandom } from './seeded-random.ts';
export { providerContract, type ProviderUnderTest } from './provider-contract.ts';
export {
  createScriptedProvider,
  type ScriptedCall,
  type ScriptedProvider,
  type ScriptedTurn,
  type ScriptStep,
} from './scripted-provider.ts';
export { schedulerContract } from './scheduler-contract.ts';
export { expectModelKept, schedulerModelContract } from './scheduler-model-contract.ts';
export type { SchedulerHarness, StartScheduler } from './scheduler-stage.ts';
export { clockContract, type ClockHarness } from './clock-contract.ts';
export { commandStoreContract, type CommandStoreHarness } from './command-store-contract.ts';
export { unreadableContract, type UnreadableHarness } from './unreadable-contract.ts';
export { countersContract, type CountersHarness } from './counters-contract.ts';
export { eventLogContract, type EventLogHarness } from './event-log-contract.ts';
export { factsContract, type FactsHarness } from './facts-contract.ts';
export { loggerContract, type LoggerHarness } from './logger-contract.ts';
