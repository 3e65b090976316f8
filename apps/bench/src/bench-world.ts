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

/** A Redis that a coordinator keeps its state in. The URL may hold a password. */
export type BenchRedisAddress = Readonly<{ url: string; volatile: boolean }>;

/** What a bench needs of the program that starts it. */
export type BenchWorld = Readonly<{
  /** Composes a real coordinator on a workspace. */
  openRuntime(options: BenchRuntimeOptions): Promise<BenchRuntime>;
  /** The audit logs of a workspace, whichever coordinators wrote them. */
  auditFilesOf(workspace: string): readonly string[];
  /** Removes the keys of a workspace that no coordinator leads any more. */
  removeKeys(workspace: string, redis: BenchRedisAddress): Promise<void>;
  /** How a process is started that calls `runMember` with this file. */
  memberArgv(file: string): readonly [string, ...string[]];
  /** Version of the program, for the report. */
  version: string;
  /** Where folders of runs are made. */
  parent: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** Abort for: no new commands. */
  signal: AbortSignal;
  /** Null: each coordinator keeps its state in the folder of its workspace. */
  redis: BenchRedisAddress | null;
  /** For tests of the bench: longer waits are violations. Default: what the coordinator allows, ten minutes. */
  maxWaitMs?: number;
}>;

export type BenchRuntimeOptions = Readonly<{
  /** Absolute. */
  workspace: string;
  settings: Settings;
  /** Offered besides the catalogue. */
  tools: readonly Tool[];
  redis: BenchRedisAddress | null;
  /** Bounds of the queue that are others than the settings say. */
  limits?: Partial<SchedulerLimits>;
}>;

/** A composed coordinator, as far as a bench uses it. */
export type BenchRuntime = Readonly<{
  coordinator: Pick<Coordinator, 'approvals' | 'cancel' | 'queue' | 'setMode' | 'submit'>;
  events: Pick<EventLog, 'subscribe'>;
  store: Pick<CommandStore, 'list'>;
  /** Where access tokens are kept. */
  facts: Facts;
  /** Opens the HTTP API on any free port of this machine; closed with the coordinator. */
  openServer(): Promise<Readonly<{ url: string }>>;
  /** Settles when every process is dead and the workspace is free again. */
  close(): Promise<void>;
}>;
