import type { Coordinator } from '@signalbox/coordinator';
import type {
  Clock,
  CommandStore,
  EventLog,
  Facts,
  Logger,
  RandomBytes,
  SchedulerLimits,
  Settings,
  Tool,
} from '@signalbox/core';

/** The Redis of a coordinator's state. The URL may hold a password. */
export type BenchRedisAddress = Readonly<{ url: string; volatile: boolean }>;

/** What a bench needs from the program that starts it. */
export type BenchWorld = Readonly<{
  /** Composes a real coordinator on a workspace. */
  openRuntime(options: BenchRuntimeOptions): Promise<BenchRuntime>;
  /** The audit logs of a workspace, from all of its coordinators. */
  auditFilesOf(workspace: string): readonly string[];
  /** Removes the keys of a workspace that no coordinator leads. */
  removeKeys(workspace: string, redis: BenchRedisAddress): Promise<void>;
  /** Argv of a process that calls `runNode` with this file. */
  nodeArgv(file: string): readonly [string, ...string[]];
  /** Version of the program, for the report. */
  version: string;
  /** Parent folder of run folders. */
  parent: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** After an abort no new commands are sent. */
  signal: AbortSignal;
  /** Null: each coordinator keeps its state in the folder of its workspace. */
  redis: BenchRedisAddress | null;
  /** For tests of the bench: longer waits are violations. Default: the coordinator's limit, ten minutes. */
  maxWaitMs?: number;
}>;

export type BenchRuntimeOptions = Readonly<{
  /** Absolute. */
  workspace: string;
  settings: Settings;
  /** Offered in addition to the built-in tools. */
  tools: readonly Tool[];
  redis: BenchRedisAddress | null;
  /** Queue limits that differ from the settings. */
  limits?: Partial<SchedulerLimits>;
}>;

/** A composed coordinator, as far as a bench uses it. */
export type BenchRuntime = Readonly<{
  coordinator: Pick<Coordinator, 'approvals' | 'cancel' | 'queue' | 'setMode' | 'submit'>;
  events: Pick<EventLog, 'subscribe'>;
  store: Pick<CommandStore, 'list'>;
  /** Stores access tokens. */
  facts: Facts;
  /** Opens the HTTP API on any free port of this machine; closed with the coordinator. */
  openServer(): Promise<Readonly<{ url: string }>>;
  /** Settles when every process has exited and the workspace is released. */
  close(): Promise<void>;
}>;
