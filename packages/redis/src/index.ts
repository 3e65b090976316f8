export { createDispatchChannel } from './dispatch/dispatch-channel.ts';
export { createReaper, type Reaper } from './dispatch/reaper.ts';
export { openQueueTelemetry, type QueueTraces } from './dispatch/queue-traces.ts';
export { createRemoteExecutor, type RemoteExecutor } from './dispatch/remote-executor.ts';
export { createRunQueues } from './dispatch/run-queue.ts';
export { type RedisWorker, startWorker, tellIsolation } from './dispatch/worker.ts';
export type { PresenceProbe } from './dispatch/presence-probe.ts';
export type { NodeFacts } from './nodes.ts';
export { openRawQueue, type RawQueue } from './raw-queue.ts';
export {
  createRedisBackend,
  openRedisRecords,
  type RedisBackend,
  type RedisBackendOptions,
  type RedisRecords,
} from './backend.ts';
export { openWorkspaceKeys, type WorkspaceKeys } from './workspace-keys.ts';
