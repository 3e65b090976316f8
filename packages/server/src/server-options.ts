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
  Member,
  Mode,
  ProviderId,
  RandomBytes,
  Redactor,
  SchedulerLimits,
  SessionId,
  UserRule,
} from '@signalbox/core';
import type { Coordinator, loadReview, RunService } from '@signalbox/coordinator';

/** A shell line to judge, without running it. */
export type LineQuestion = {
  readonly line: string;
  readonly cwd: string;
  readonly provider: ProviderId;
  readonly mode: Mode;
};

/** Rules of people: proposed, read, checked, stored, taken out. */
export type ServedRules = {
  /** For "always allow": as narrow as the call. */
  readonly propose: (record: CommandRecord, by: string) => Promise<RuleProposal>;
  /** Whether it is an allow rule that lets this call run, and may stand there; YAML, as a person types it, or JSON. */
  readonly check: (record: CommandRecord, typed: string, scope?: RuleScope) => Promise<RuleDraft>;
  readonly store: (record: CommandRecord, rule: JsonObject, scope: RuleScope) => Promise<StoredRule>;
  /** Whether it is a rule at all, with examples that hold. */
  readonly read: (typed: string) => RuleDraft;
  /** Into a file, under a name that is free there. @throws {UsageError} when the settings can't be read with it. */
  readonly add: (rule: JsonObject, file: RuleFile) => Promise<StoredRule>;
  /** False when the file has none of that name. */
  readonly remove: (id: string, file: RuleFile) => Promise<boolean>;
};

/** What routes need of the runtime besides its coordinator. */
export type RuntimeServices = {
  readonly providers: () => readonly ProviderInfo[];
  /** The workspace's own line for its tests, as runs check with it; null where there is none. */
  readonly tests: string | null;
  /** What the settings say of who calls: trust, priority, tools. */
  readonly contextOf: (provider: ProviderId) => Partial<CallContextInput>;
  readonly runs: Pick<RunService, 'start' | 'stop' | 'grantTurns' | 'isLed'>;
  /** Whether no other coordinator may lead sessions of this workspace. */
  readonly leadsAlone: boolean;
  /** No new turns and calls; what runs is cancelled. False when no such session runs here. */
  readonly stopSession: (id: SessionId, by: string) => Promise<boolean>;
  /** What the policy thinks of a line; the answer of `signalbox policy explain --json`. */
  readonly explain: (question: LineQuestion) => Promise<ExplanationView>;
  readonly ownRules: () => readonly UserRule[];
  /** Rules that a person makes while they answer. */
  readonly rules: ServedRules;
  /** What a command changed; null when nothing is kept of it. */
  readonly changesOf: (id: CommandId) => Promise<readonly FileDiff[] | null>;
  /** Which paths of the workspace git leaves out, also of those that may be gone. */
  readonly ignoredByGit: (gone: readonly string[]) => Promise<(path: string) => boolean>;
  /** Which of these paths the last commit leaves out. */
  readonly ignoredInHead: Parameters<typeof loadReview>[0]['ignoredInHead'];
  /** Until when the changes of each path are in git's HEAD, epoch ms. */
  readonly committedInGit: Parameters<typeof loadReview>[0]['committedInGit'];
  /** A folder of the workspace, relative, by its path from there or its absolute one; null where it is none. */
  readonly folderOf: (path: string) => Promise<string | null>;
  /** Files that anybody changed from a moment on (epoch ms), and when. */
  readonly editedSince: Parameters<typeof loadReview>[0]['editedSince'];
  /**
   * Reads the settings again; false when they decide the same.
   *
   * @throws {UsageError} with line and column when they are not valid; the old ones stay.
   */
  readonly reloadPolicy: () => Promise<boolean>;
  readonly isolation: () => Promise<Isolation | null>;
  /** Coordinators and workers of the workspace; null where it has one coordinator. */
  readonly members: () => Promise<readonly Member[] | null>;
  /** Of each run, as the settings say; null: none. */
  readonly budgetUsd: () => number | null;
  /** Where the workspace stands in git now; null outside of it. */
  readonly gitHead: () => Promise<GitHead | null>;
  /** What agents over MCP are answered, and when. */
  readonly mcp: () => McpSettings;
  /** Calls back whenever other tools may be called; answers how to stop that. */
  readonly onToolsChanged: (listener: () => void) => () => void;
};

/** The built dashboard. */
export type DashboardFiles = {
  /** Its folder now; null where it is not built (yet). */
  readonly folder: () => string | null;
  /** How a person gets it, one step a line. */
  readonly howToBuild: readonly string[];
};

/** Where the server listens and whom it answers. */
export type ListenOptions = {
  /** Default 127.0.0.1. */
  readonly host: string;
  /** Default 4180; 0 takes a free one. */
  readonly port: number;
  /** More names that it answers to in `Host`. */
  readonly allowedHosts: readonly string[];
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** The operator's own word that others may listen in: to leave loopback without TLS. */
  readonly allowPlainHttp: boolean;
};

/** The process behind a server, as far as clients may end it. */
export type Lifecycle = {
  /** Null: it stays until it is stopped. */
  readonly idleExitMs: number | null;
  /** How many runs are not over. */
  readonly runs: () => number;
  /** `drained`: nothing new is begun, and it ends when what runs has ended. */
  readonly stop: (when: 'now' | 'drained') => void;
  /** Lets it listen on a port too. @throws {UsageError} `not-loopback`. @throws {UnavailableError} `port-in-use`. */
  readonly openPort: (
    options: ListenOptions,
    reuse: PortReuse,
  ) => Promise<{ readonly url: string; close(): Promise<void> }>;
  /** The same until it ends; a reused port stays as long as it would have. */
  readonly keepPort: (options: ListenOptions, reuse: PortReuse) => Promise<{ readonly url: string }>;
  /** Addresses of the ports that are open now, the oldest first. */
  readonly ports: () => readonly string[];
  /** Those of them whose number was asked for: the same at the next start. */
  readonly fixedPorts: () => readonly string[];
};

export type ServerOptions = {
  readonly coordinator: Coordinator;
  readonly store: CommandStore;
  readonly events: EventLog;
  readonly facts: Facts;
  /** Of a backend that can be away: what who looks is told meanwhile. Default: it can't be. */
  readonly lastKnown?: LastKnown | null;
  /** Of a backend that is another process: measured. */
  readonly calls?: BackendCalls;
  readonly redactor: Redactor;
  readonly services: RuntimeServices;
  /** By which the queue of this coordinator goes: people see how much may run, and until when one waits and holds. */
  readonly limits: Pick<SchedulerLimits, 'maxConcurrent' | 'maxWaitMs' | 'leaseTtlMs'>;
  readonly lifecycle: Lifecycle;
  /** Who this is, for clients that connect. */
  readonly hello: {
    readonly pid: number;
    readonly host: string;
    /** Which subcommand leads the workspace. */
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
  readonly dashboard: DashboardFiles;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
};
