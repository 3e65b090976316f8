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
export { aShellRequest, executorContract, type ExecutorUnderTest } from './contracts/executor-contract.ts';
export { type ExampleRun, runReadmeExample } from './readme-example.ts';
export { filesContract, type FilesSeed, type FilesUnderTest } from './contracts/files-contract.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export {
  createMemoryFiles,
  hashOf,
  type MemoryFiles,
  type MemoryFilesOptions,
} from './memory/memory-files.ts';
export { createMemoryCounters, createMemoryFacts } from './memory/memory-facts.ts';
export { createMemoryInspector } from './memory/memory-inspector.ts';
export { inspectorContract } from './contracts/inspector-contract.ts';
export { createMemoryScheduler } from './memory/memory-scheduler.ts';
export { createMemoryRunStore } from './memory/memory-run-store.ts';
export { createMemoryStore } from './memory/memory-store.ts';
export { createMemoryLogger, type LogLine, type MemoryLogger } from './memory/memory-logger.ts';
export { createMemoryNodes, type MemoryNodes } from './memory/memory-nodes.ts';
export { builtSettingsKeys } from './settings-keys.ts';
export { createSeededRandom } from './seeded-random.ts';
export { providerContract, type ProviderUnderTest } from './contracts/provider-contract.ts';
export {
  createScriptedProvider,
  type ScriptedCall,
  type ScriptedProvider,
  type ScriptedTurn,
  type ScriptStep,
} from './scripted-provider.ts';
export { schedulerContract } from './contracts/scheduler-contract.ts';
export { expectModelKept, schedulerModelContract } from './contracts/scheduler-model-contract.ts';
export type { SchedulerHarness, StartScheduler } from './contracts/scheduler-harness.ts';
export { clockContract, type ClockHarness } from './contracts/clock-contract.ts';
export { commandStoreContract, type CommandStoreHarness } from './contracts/command-store-contract.ts';
export { runStoreContract, type RunStoreHarness } from './contracts/run-store-contract.ts';
export { unreadableContract, type UnreadableHarness } from './contracts/unreadable-contract.ts';
export { countersContract, type CountersHarness } from './contracts/counters-contract.ts';
export { eventLogContract, type EventLogHarness } from './contracts/event-log-contract.ts';
export { factsContract, type FactsHarness } from './contracts/facts-contract.ts';
export { loggerContract, type LoggerHarness } from './contracts/logger-contract.ts';
export { startWorkCounter, type WorkCounter } from './work-counter.ts';
