import type {
  Clock,
  CommandStore,
  EventLog,
  Facts,
  Files,
  ForgottenCommand,
  Isolation,
  Logger,
  Member,
  Scheduler,
  SchedulerLimits,
  SchedulerSnapshot,
  SeenMember,
  Settings,
  Tool,
} from '@signalbox/core';
import type { PortReuse, RecoveryView } from '@signalbox/api';
import type { Coordinator, ModeState, Monitor, RunService } from '@signalbox/coordinator';
import type { Activity, ListenOptions, OpenPort, ServedRules } from '@signalbox/server';
import type { RedisAddress } from '../workspace/redis-address.ts';

/** What `compose.ts` puts together, as subcommands see it; the tests of subcommands put together their own. */
export type RuntimeEntry = Readonly<{
  /**
   * Takes the workspace: one coordinator at a time.
   *
   * @throws {UnavailableError} `workspace-held` when another one runs here, with who and what to do.
   */
  openRuntime(options: RuntimeOptions): Promise<Runtime>;
  /** Reads what is stored, beside a running coordinator or without one. Null when nothing was ever stored. */
  openRecords(options: {
    readonly workspace: string;
    /** Where the address of Redis is looked up. Default: the environment of this process. */
    readonly env?: Readonly<Record<string, string | undefined>>;
  }): Promise<Records | null>;
  /**
   * Starts a coordinator of the workspace that outlives this process; settles when it can be connected to.
   *
   * @throws {UnavailableError} what keeps it from starting, in its own words.
   */
  startCoordinator(options: {
    readonly workspace: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly user: string;
    readonly clock: Clock;
    /** Hears how far it is with many commands of before, while it starts. */
    readonly onRecovery?: (progress: RecoveryView) => void;
  }): Promise<void>;
}>;

export type RuntimeOptions = Readonly<{
  /** Absolute. */
  workspace: string;
  settings: Settings;
  /** The operator's own flag: run commands without a sandbox where none works. */
  unconfined: boolean;
  user: string;
  /** Log each step of each command. Default: no. */
  inspect?: boolean;
  /** Which subcommand holds the workspace, for who wants it next. */
  subcommand: string;
  /** Where API keys are looked up, by the names in `api_key_env`. */
  apiKeys: Readonly<Record<string, string | undefined>>;
  /** The Redis that the workspace is kept in. Default: as environment, settings and running coordinators say. */
  redis?: RedisAddress;
  /** On Redis: programs run at workers alone. Default false. */
  workersOnly?: boolean;
  /** Bounds of the queue that are others than the settings say, for tests. */
  limits?: Partial<SchedulerLimits>;
  /** Hears how far it is with many commands of before, from before the first is read. Default: nobody. */
  onRecovery?: (progress: RecoveryView) => void;
  /** Default: `.signalbox/log.jsonl`. */
  log?: Logger;
  clock: Clock;
  /** Offered besides the catalogue: what a load test calls. Default: none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tools of every kind of arguments, as in a registry
  tools?: readonly Tool<any>[];
  /** What stands between the coordinator and its scheduler: a load test proves by a broken one that it would notice. */
  through?: (scheduler: Scheduler) => Scheduler;
}>;

/** A workspace with its coordinator. */
export type Runtime = Readonly<{
  coordinator: Coordinator;
  events: EventLog;
  store: CommandStore;
  /** Where access tokens stand, among others. */
  facts: Facts;
  settings: Settings;
  isolation(): Promise<Isolation>;
  /** Judges by the policy of these settings from now on, and asks open questions anew; false when it decides the same. */
  adoptPolicy(settings: Settings): boolean;
  /** The settings on disk can't be used, and why: the policy stays as it was. */
  refuseSettings(why: string): void;
  /** Providers at work, and what they are to come to. */
  runs: RunService;
  /** Opens the API on the socket of the workspace; it can be let listen on ports too. Closed with the coordinator. */
  openApi(options: ApiOptions): Promise<OpenApi>;
  /** Settles when every process is dead and the workspace is free again. */
  close(): Promise<void>;
}>;

/** What the API of a coordinator works with besides. */
export type ApiOptions = Readonly<{
  /** The account that leads the workspace: the name of who comes by the socket, and of the local token. */
  user: string;
  /** Abort for: sessions that were started through it begin nothing new. */
  signal: AbortSignal;
  /** Null: it stays until it is stopped. */
  idleExitMs: number | null;
  /** A client has asked it to end, and what it was to wait for has ended. */
  onStop: () => void;
  /** @throws {SettingsFileError} */
  loadSettings: () => Promise<Settings>;
  /** How rules are made of answers; `adopt` lets a stored one count. */
  rulesOf: (parts: { coordinator: Coordinator; adopt: () => Promise<void> }) => ServedRules;
}>;

export type OpenApi = Readonly<{
  /**
   * Listens on a port too, and leaves word of it for programs of the same account.
   *
   * @throws {UsageError} `not-loopback`. @throws {UnavailableError} `port-in-use`.
   */
  listen(options: ListenOptions, reuse: PortReuse): Promise<OpenPort>;
  activity(): Activity;
  /** Whether clients find this one: nobody has removed or replaced what they find it by. */
  isFound(): boolean;
  close(): Promise<void>;
}>;

/** The stored past of a workspace, and its present as far as it is stored. */
export type Records = Readonly<{
  store: CommandStore;
  events: EventLog;
  facts: Facts;
  monitor: Pick<Monitor, 'stats' | 'answers'>;
  files: Pick<Files, 'changesOf'>;
  /** Who holds what and who waits for whom, as far as the records tell. */
  queue(most?: number): Promise<SchedulerSnapshot>;
  mode(): Promise<ModeState>;
  /** Commands whose id begins so (after the `cmd_`), which only the audit log has any more. */
  forgotten(prefix: string): Promise<readonly ForgottenCommand[]>;
  /** Who holds the workspace now; null when nobody does. */
  holder(): Promise<WorkspaceHolder | null>;
  /** Who works here together, coordinators and workers; null where the workspace has one coordinator. */
  members(): Promise<readonly Member[] | null>;
  /** The same and those who died and left something, with what is known of their lives. */
  membersSeen(): Promise<readonly SeenMember[] | null>;
  close(): Promise<void>;
}>;

/** The process that has the workspace. */
export type WorkspaceHolder = Readonly<{ pid: number; host: string; subcommand: string; startedAt: number }>;
