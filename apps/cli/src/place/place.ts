import type { CommandStore, Counters, EventLog, Executor, Facts, Member, Scheduler } from '@signalbox/core';
import type { SharedWorkspace } from '@signalbox/coordinator';
import type { CommitWriter } from '@signalbox/sandbox';

/** What a house stands on: where it keeps what it knows, and who else works in its workspace. */
export type Place = Readonly<{
  scheduler: Scheduler;
  store: CommandStore;
  events: EventLog;
  counters: Counters;
  facts: Facts;
  /** This process among those that put files there. */
  writer: CommitWriter;
  /** Takes back what dead processes left of commits; answers whose. */
  takeBackCommits(): Promise<readonly string[]>;
  auditFile: string;
  /** Null where this is the only coordinator. */
  others: OtherMembers | null;
  /** Lets the workspace go; the coordinator is closed by then. */
  close(): Promise<void>;
}>;

/** The other processes of a workspace on Redis. */
export type OtherMembers = Readonly<{
  shared: Omit<SharedWorkspace, 'stopSession'>;
  living(): Promise<readonly Member[]>;
  /** Hands commands to workers while there are some; what `local` can do is done by it where there are none. */
  distribute(local: Executor): Executor;
}>;
