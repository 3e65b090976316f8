import type {
  BackendCalls,
  CommandStore,
  Counters,
  EventLog,
  Executor,
  Facts,
  LastKnown,
  NodeRecord,
  RunStore,
  Scheduler,
  Settings,
} from '@signalbox/core';
import type { SharedWorkspace } from '@signalbox/coordinator';
import type { QueueTraces } from '@signalbox/redis';
import type { CommitWriter } from '@signalbox/sandbox';

/** Where a coordinator keeps its state, and which other nodes share its workspace. */
export type Backend = Readonly<{
  scheduler: Scheduler;
  store: CommandStore;
  runStore: RunStore;
  events: EventLog;
  counters: Counters;
  facts: Facts;
  /** Requests to the backend, for metrics; only for a backend in another process. */
  calls?: BackendCalls;
  /** What clients may read while the backend is unreachable; only for a backend that can be. */
  lastKnown?: LastKnown | null;
  /** Identifies this process as the one that commits files there. */
  writer: CommitWriter;
  /** Rolls back half-done commits of dead processes, and returns their writers. */
  takeBackCommits(): Promise<readonly string[]>;
  auditFile: string;
  /** Those of every coordinator that ever ran here. */
  auditFiles(): readonly string[];
  /** Null when this is the only coordinator. */
  others: OtherNodes | null;
  /** Releases the workspace. The coordinator must be closed first. */
  close(): Promise<void>;
}>;

/** What workers must know about the coordinator whose programs they run. */
export type Distribution = Readonly<{
  /** The current settings. */
  settings: () => Settings;
  /** What commands were judged by. A worker with weaker confinement refuses. */
  needs: () => Readonly<{ sandboxed: boolean; transactional: boolean; ownFolders?: readonly string[] }>;
  /** Undefined when the queue is not traced. */
  queueTraces: QueueTraces | undefined;
}>;

/** Other nodes of a workspace on Redis. */
export type OtherNodes = Readonly<{
  shared: SharedWorkspace;
  living(): Promise<readonly NodeRecord[]>;
  /** Hands programs to workers while there are any. Otherwise `local` runs them. */
  distribute(local: Executor, by: Distribution): Promise<Executor>;
}>;
