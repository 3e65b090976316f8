import type {
  BackendCalls,
  CommandStore,
  Counters,
  EventLog,
  Executor,
  Facts,
  LastKnown,
  Member,
  Scheduler,
  Settings,
} from '@signalbox/core';
import type { SharedWorkspace } from '@signalbox/coordinator';
import type { QueueTraces } from '@signalbox/redis';
import type { CommitWriter } from '@signalbox/sandbox';

/** What a coordinator stands on: where it keeps what it knows, and who else works in its workspace. */
export type Backend = Readonly<{
  scheduler: Scheduler;
  store: CommandStore;
  events: EventLog;
  counters: Counters;
  facts: Facts;
  /** Of a backend that is another process: what it is asked. */
  calls?: BackendCalls;
  /** Of a backend that can be away: for people who look meanwhile. */
  lastKnown?: LastKnown | null;
  /** This process among those that put files there. */
  writer: CommitWriter;
  /** Takes back what dead processes left of commits; answers whose. */
  takeBackCommits(): Promise<readonly string[]>;
  auditFile: string;
  /** Those of all coordinators that were ever here. */
  auditFiles(): readonly string[];
  /** Null where this is the only coordinator. */
  others: OtherNodes | null;
  /** Lets the workspace go; the coordinator is closed by then. */
  close(): Promise<void>;
}>;

/** What workers have to know of the coordinator whose programs they run. */
export type Distribution = Readonly<{
  /** As they are now. */
  settings: () => Settings;
  /** What commands are judged by: a worker that confines less refuses. */
  needs: () => Readonly<{ sandboxed: boolean; transactional: boolean; ownFolders?: readonly string[] }>;
  /** Where somebody wants to know of the steps of the queue. */
  queueTraces: QueueTraces | undefined;
}>;

/** The other processes of a workspace on Redis. */
export type OtherNodes = Readonly<{
  shared: SharedWorkspace;
  living(): Promise<readonly Member[]>;
  /** Hands programs to workers while there are some; `local` runs them where there are none. */
  distribute(local: Executor, by: Distribution): Promise<Executor>;
}>;
