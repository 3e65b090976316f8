import type {
  ExplanationView,
  FileDiff,
  GitHead,
  PortReuse,
  ProviderInfo,
  RuleDraft,
  RuleFile,
  RuleProposal,
  RuleScope,
  StatusView,
  StoredRule,
} from '@signalbox/api';
import type {
  CallContextInput,
  Clock,
  CommandId,
  CommandRecord,
  CommandStore,
  BackendCalls,
  EventLog,
  Facts,
  Isolation,
  JsonObject,
  LastKnown,
  Logger,
  McpSettings,
  NodeRecord,
  Mode,
  ProviderId,
  RandomBytes,
  Redactor,
  SchedulerLimits,
  SessionId,
  UserRule,
} from '@signalbox/core';
import type { Coordinator, loadReview, RunService, SessionMessage } from '@signalbox/coordinator';

/** A shell line to judge, without running it. */
export type LineQuestion = {
  readonly line: string;
  readonly cwd: string;
  readonly provider: ProviderId;
  readonly mode: Mode;
};

/** User rules: propose, read, check, store and remove. */
export type ServedRules = {
  /** For "always allow": as narrow as the call. */
  readonly propose: (record: CommandRecord, by: string) => Promise<RuleProposal>;
  /**
   * Whether it is an allow rule that lets this call run and may be stored there. Takes YAML, as a person types it, or
   * JSON.
   */
  readonly check: (
    record: CommandRecord,
    typed: string,
    options?: Readonly<{ scope?: RuleScope }>,
  ) => Promise<RuleDraft>;
  readonly store: (
    record: CommandRecord,
    rule: JsonObject,
    options: Readonly<{ scope: RuleScope }>,
  ) => Promise<StoredRule>;
  /** Whether it is a valid rule whose examples pass. */
  readonly read: (typed: string) => RuleDraft;
  /**
   * Adds it to a file, under a name that is free there. @throws {UsageError} when the settings can't be read with it.
   */
  readonly add: (rule: JsonObject, file: RuleFile) => Promise<StoredRule>;
  /** False when the file has no rule of that name. */
  readonly remove: (id: string, file: RuleFile) => Promise<boolean>;
};

/** What routes need of the runtime besides its coordinator. */
export type RuntimeServices = {
  readonly providers: () => readonly ProviderInfo[];
  /** The workspace's own test command, which runs check with; null: none. */
  readonly tests: string | null;
  /** The settings for a caller: trust, priority, tools. */
  readonly contextOf: (provider: ProviderId) => Partial<CallContextInput>;
  readonly runs: Pick<RunService, 'start' | 'stop' | 'resume' | 'grantTurns' | 'isLed'>;
  /** Whether no other coordinator may lead sessions of this workspace. */
  readonly leadsAlone: boolean;
  /** Takes no new turns and calls, and cancels running commands. False when no such session runs here. */
  readonly stopSession: (id: SessionId, by: string) => Promise<boolean>;
  /** Adds a message of a person before its next turn. False when no coordinator leads such a session. */
  readonly sayToSession: (id: SessionId, message: SessionMessage) => Promise<boolean>;
  /** Compresses its conversation before its next turn. False when no coordinator leads such a session. */
  readonly compressSession: (id: SessionId, by: string) => Promise<boolean>;
  /** The policy's ruling on a line; the answer of `signalbox policy explain --json`. */
  readonly explain: (question: LineQuestion) => Promise<ExplanationView>;
  readonly ownRules: () => readonly UserRule[];
  /** Rules that a person makes while answering approvals. */
  readonly rules: ServedRules;
  /** Changes of a command; null when none are stored. */
  readonly changesOf: (id: CommandId) => Promise<readonly FileDiff[] | null>;
  /** Which paths of the workspace git ignores, including paths that may have been deleted. */
  readonly ignoredByGit: (gone: readonly string[]) => Promise<(path: string) => boolean>;
  /** Which of these paths the last commit ignores. */
  readonly ignoredInHead: Parameters<typeof loadReview>[0]['ignoredInHead'];
  /** The time up to which changes of each path are in git's HEAD, epoch ms. */
  readonly committedInGit: Parameters<typeof loadReview>[0]['committedInGit'];
  /** A folder of the workspace, relative, by its relative or absolute path; null for any other path. */
  readonly folderOf: (path: string) => Promise<string | null>;
  /** Files changed since a moment (epoch ms), by anything, and when. */
  readonly editedSince: Parameters<typeof loadReview>[0]['editedSince'];
  /**
   * Reads the settings again; false when they have the same effect.
   *
   * @throws {UsageError} with line and column when they are not valid; the old ones stay.
   */
  readonly reloadPolicy: () => Promise<boolean>;
  readonly isolation: () => Promise<Isolation | null>;
  /** Coordinators and workers of the workspace; null where it has one coordinator. */
  readonly members: () => Promise<readonly NodeRecord[] | null>;
  /** Per run, from the settings; null: none. */
  readonly budgetUsd: () => number | null;
  /** The model that judges calls by policies in plain words; null while none does. */
  readonly judge: () => StatusView['judge'];
  /** The workspace's current git HEAD; null outside of git. */
  readonly gitHead: () => Promise<GitHead | null>;
  /** Which answers agents get over MCP, and when. */
  readonly mcp: () => McpSettings;
  /** Calls back when the set of callable tools changes; returns a function that unsubscribes. */
  readonly onToolsChanged: (listener: () => void) => () => void;
};

/** The built dashboard. */
export type DashboardFiles = {
  /** Its current folder; null where it is not built (yet). */
  readonly folder: () => string | null;
  /** How a person builds it, one step a line. */
  readonly howToBuild: readonly string[];
};

/** The server's address, and the clients that it accepts. */
export type ListenOptions = {
  /** Default 127.0.0.1. */
  readonly host: string;
  /** Default 4180; 0 takes a free one. */
  readonly port: number;
  /** More names that it accepts in `Host`. */
  readonly allowedHosts: readonly string[];
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** The operator's explicit consent to leave loopback without TLS, although others may eavesdrop. */
  readonly allowPlainHttp: boolean;
};

/** The process behind a server, as far as clients may end it. */
export type Lifecycle = {
  /** Null: it stays until it is stopped. */
  readonly idleExitMs: number | null;
  /** How many runs have not ended. */
  readonly runs: () => number;
  /** `drained`: starts nothing new, and ends when running work has ended. */
  readonly stop: (when: 'now' | 'drained') => void;
  /** Opens a port too. @throws {UsageError} `not-loopback`. @throws {UnavailableError} `port-in-use`. */
  readonly openPort: (
    options: ListenOptions,
    reuse: PortReuse,
  ) => Promise<{ readonly url: string; close(): Promise<void> }>;
  /** The same until the process ends; a reused port stays as long as it would have. */
  readonly keepPort: (options: ListenOptions, reuse: PortReuse) => Promise<{ readonly url: string }>;
  /** Addresses of the open ports, oldest first. */
  readonly ports: () => readonly string[];
  /** Those whose number was requested: the same at the next start. */
  readonly fixedPorts: () => readonly string[];
};

export type ServerOptions = {
  readonly coordinator: Coordinator;
  readonly store: CommandStore;
  readonly events: EventLog;
  readonly facts: Facts;
  /** For a backend that can be away: the state for read-only requests meanwhile. Default: it can't be away. */
  readonly lastKnown?: LastKnown | null;
  /** For a backend in another process: measured. */
  readonly calls?: BackendCalls;
  readonly redactor: Redactor;
  readonly services: RuntimeServices;
  /** Queue limits of this coordinator, shown to people: how many may run, and how long a command waits and holds. */
  readonly limits: Pick<SchedulerLimits, 'maxConcurrent' | 'maxWaitMs' | 'leaseTtlMs'>;
  readonly lifecycle: Lifecycle;
  /** Identity for clients that connect. */
  readonly hello: {
    readonly pid: number;
    readonly host: string;
    /** The subcommand that leads the workspace. */
    readonly subcommand: string;
    /** Epoch milliseconds. */
    readonly since: number;
    readonly backend: 'embedded' | 'redis';
    /** Absolute. */
    readonly workspace: string;
  };
  /** Name of the workspace, for people. */
  readonly workspace: string;
  readonly version: string;
  /** Whether it counts for `/metrics`. */
  readonly measures: boolean;
  readonly dashboard: DashboardFiles;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
};
