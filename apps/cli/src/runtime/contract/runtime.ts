import type {
  Clock,
  CommandStore,
  EventLog,
  Facts,
  Files,
  ForgottenCommand,
  Isolation,
  Logger,
  NodeRecord,
  RunId,
  Scheduler,
  SchedulerLimits,
  SchedulerSnapshot,
  SeenNode,
  Settings,
  Tool,
} from '@signalbox/core';
import type { PortReuse, RecoveryView } from '@signalbox/api';
import type { Coordinator, ModeState, Monitor, RunService } from '@signalbox/coordinator';
import type { Activity, ListenOptions, OpenPort, ServedRules } from '@signalbox/server';
import type { RedisAddress } from '../workspace/redis-address.ts';

/** What `compose.ts` provides to subcommands. Tests of subcommands compose their own. */
export type RuntimeEntry = Readonly<{
  /**
   * Takes the workspace: one coordinator at a time.
   *
   * @throws {UnavailableError} `workspace-held` when another one runs here, with its holder and what to do
   */
  openRuntime(options: RuntimeOptions): Promise<Runtime>;
  /** Reads stored records, with or without a running coordinator. Null if nothing was ever stored. */
  openRecords(options: {
    readonly workspace: string;
    /** Where the address of Redis is looked up. Default: the environment of this process. */
    readonly env?: Readonly<Record<string, string | undefined>>;
  }): Promise<Records | null>;
  /**
   * Starts a coordinator of the workspace that outlives this process; settles when it accepts connections.
   *
   * @throws {UnavailableError} with the coordinator's own reason why it can't start
   */
  startCoordinator(options: {
    readonly workspace: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly user: string;
    readonly clock: Clock;
    /** Receives the progress of recovering earlier commands during the start. */
    readonly onRecovery?: (progress: RecoveryView) => void;
  }): Promise<void>;
}>;

export type RuntimeOptions = Readonly<{
  /** Absolute. */
  workspace: string;
  settings: Settings;
  /** The operator's own flag: run commands without a sandbox if none works. */
  unconfined: boolean;
  user: string;
  /** Log each step of each command. Default: false. */
  inspect?: boolean;
  /** The subcommand that holds the workspace, shown to the next one that wants it. */
  subcommand: string;
  /** Where API keys are looked up, by the names in `api_key_env`. */
  apiKeys: Readonly<Record<string, string | undefined>>;
  /** Redis of the workspace. Default: from the environment, the settings or running coordinators. */
  redis?: RedisAddress;
  /** On Redis: programs run only on workers. Default false. */
  workersOnly?: boolean;
  /** Queue limits that override the settings, for tests. */
  limits?: Partial<SchedulerLimits>;
  /** Receives the progress of recovery, starting before the first command is read. Default: not reported. */
  onRecovery?: (progress: RecoveryView) => void;
  /** Default: `.signalbox/log.jsonl`. */
  log?: Logger;
  clock: Clock;
  /** Tools added to the catalogue, for load tests. Default: none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tools of every kind of arguments, as in a registry
  tools?: readonly Tool<any>[];
  /** Wraps the scheduler: a load test uses a broken one to prove that it detects faults. */
  through?: (scheduler: Scheduler) => Scheduler;
}>;

/** A workspace with its coordinator. */
export type Runtime = Readonly<{
  coordinator: Coordinator;
  events: EventLog;
  store: CommandStore;
  /** Holds access tokens, among others. */
  facts: Facts;
  settings: Settings;
  isolation(): Promise<Isolation>;
  /**
   * Applies the policy of these settings from now on, and re-evaluates pending approvals; false if it decides the same.
   */
  applyPolicy(settings: Settings): boolean;
  /** Differs between two policies that decide differently. */
  policyVersion(): string;
  /** Reports that the settings on disk can't be used. The policy stays as it was. */
  refuseSettings(why: string): void;
  /** Running providers, and their results. */
  runs: RunService;
  /** Opens the API on the socket of the workspace; it can also listen on ports. Closes with the coordinator. */
  openApi(options: ApiOptions): Promise<OpenApi>;
  /** Settles when every process is dead and the workspace is released. */
  close(): Promise<void>;
  /** The same, but its sessions do not end: the next coordinator continues them. */
  leave(): Promise<void>;
}>;

/** Additional options of a coordinator's API. */
export type ApiOptions = Readonly<{
  /** The account that leads the workspace: the name of clients on the socket and of the local token. */
  user: string;
  /** When aborted, sessions started through the API begin nothing new. */
  signal: AbortSignal;
  /** Null: it stays until it is stopped. */
  idleExitMs: number | null;
  /** Called when a client requested a stop and everything it was to wait for has ended. */
  onStop: () => void;
  /** @throws {SettingsFileError} */
  loadSettings: () => Promise<Settings>;
  /** How answers become rules. `applyPolicy` applies a stored one. */
  rulesOf: (parts: { coordinator: Coordinator; applyPolicy: () => Promise<void> }) => ServedRules;
}>;

export type OpenApi = Readonly<{
  /**
   * Also listens on a port, and records it for programs of the same account.
   *
   * @throws {UsageError} `not-loopback`. @throws {UnavailableError} `port-in-use`.
   */
  listen(options: ListenOptions, reuse: PortReuse): Promise<OpenPort>;
  activity(): Activity;
  /** Whether clients find this coordinator: its socket and record were neither removed nor replaced. */
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
  /** Leases and waiting commands, as far as the records show. */
  queue(max?: number): Promise<SchedulerSnapshot>;
  mode(): Promise<ModeState>;
  /** Commands whose id has this prefix (after the `cmd_`) and that only the audit log still has. */
  forgotten(prefix: string): Promise<readonly ForgottenCommand[]>;
  /** Stored runs that are not over: led now, or left by a coordinator that has ended. */
  leftRuns(): Promise<readonly RunId[]>;
  /** The holder of the workspace; null if there is none. */
  holder(): Promise<WorkspaceHolder | null>;
  /** All nodes, coordinators and workers; null if the workspace has one coordinator. */
  members(): Promise<readonly NodeRecord[] | null>;
  /** The same plus dead nodes that left something, each with its known liveness. */
  nodesSeen(): Promise<readonly SeenNode[] | null>;
  close(): Promise<void>;
}>;

/** The process that holds the workspace. */
export type WorkspaceHolder = Readonly<{ pid: number; host: string; subcommand: string; startedAt: number }>;
