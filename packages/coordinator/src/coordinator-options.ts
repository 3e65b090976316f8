import type {
  Clock,
  CommandStore,
  Counters,
  EventLog,
  Executor,
  Facts,
  Files,
  Inspector,
  LastKnown,
  Logger,
  NamedFiles,
  OutputFilter,
  RandomBytes,
  Redactor,
  RunStore,
  Scheduler,
  Settings,
  Stamps,
  ToolRegistry,
  WorkspaceLines,
} from '@signalbox/core';
import type { CallGate } from './gates/gate.ts';
import type { HostsOfSource, PolicyHolder } from '@signalbox/policy';
import type { Conditions } from './mode/watch-conditions.ts';
import type { OpenedEmbedder } from './model-requests/ask-embedder.ts';
import type { RecoveryProgress } from './recovery/recovery.ts';
import type { SessionRequests } from './shared/session-requests.ts';
import type { SharedWorkspace } from './shared/shared-workspace.ts';

/** The ports and parts a coordinator is made of; `compose` in the app creates them. */
export type CoordinatorOptions = {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Home folder of the person who runs Signalbox, for rules that name it. */
  readonly home: string | undefined;
  readonly host: { readonly name: string; readonly pid: number };
  readonly auditFile: string;
  /** All audit logs of the workspace, to find commands that the history has dropped. Default: only its own. */
  readonly auditFiles?: () => readonly string[];
  readonly store: CommandStore;
  /** Runs that are not over, whose commands the history keeps. Default: there are none. */
  readonly runStore?: Pick<RunStore, 'unfinished'> | undefined;
  readonly events: EventLog;
  readonly scheduler: Scheduler;
  readonly counters: Counters;
  readonly facts: Facts;
  /**
   * State shown to people while the backend is unreachable. It decides nothing. Default: the backend can't be
   * unreachable.
   */
  readonly lastKnown?: LastKnown | null | undefined;
  readonly executor: Executor;
  /** Whether commands are really confined, as the executor's probe found. */
  readonly sandboxed: boolean;
  /** Absolute folders, such as `/tmp`, that are private to every command, as the probe found. Default none. */
  readonly ownFolders?: readonly string[] | undefined;
  /** Whether shell lines run as transactions, whose changes are all known and can be undone, as the probe found. */
  readonly transactional: boolean;
  readonly files: Files;
  /** Inspects what a call would do, for people. */
  readonly inspector: Inspector;
  readonly tools: ToolRegistry;
  /** Ranks tools for the filter; null or absent: they are ranked by words. */
  readonly embedder?: OpenedEmbedder | null | undefined;
  readonly policy: PolicyHolder;
  /** Shortens what models read of outputs; asked for when a command has ended. Default: they read everything. */
  readonly outputFilter?: (() => Promise<OutputFilter>) | undefined;
  /** Further checks of calls that the policy does not deny. Default: none. */
  readonly gates?: readonly CallGate[] | undefined;
  readonly redactor: Redactor;
  readonly settings: Settings;
  /** The workspace's own shell lines, found or configured. */
  readonly lines: WorkspaceLines;
  /** The hosts that the project's files currently name for a source. Default: unknown. */
  readonly projectHosts?: HostsOfSource | undefined;
  /**
   * Workspace files that a person's programs currently read as settings or code, in addition to those known by name;
   * also in repositories around the given paths. Default none.
   */
  readonly namedFiles?: ((changed?: readonly string[]) => NamedFiles) | undefined;
  /** The current first line of a workspace file, by its absolute path. Default: unknown. */
  readonly firstLineOf?: ((path: string) => string | undefined) | undefined;
  /** Paths changed since then (epoch ms) by anyone, according to the file system. Default: unknown. */
  readonly editedSince?: ((sinceMs: number) => Promise<readonly string[]>) | undefined;
  /** Compares the workspace's files, so that results can be used again. Default: nothing is used again. */
  readonly stamps?: Stamps | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The sessions led by this process. Default: none. */
  readonly ownSessions?: SessionRequests | undefined;
  /** Set if the workspace has several coordinators. Default: this is the only one. */
  readonly shared?: SharedWorkspace | undefined;
  /** What commands need of this machine, checked every 10 s: mode DEGRADED while it is missing. Default: nothing. */
  readonly conditions?: Conditions;
  /** Called with the progress of a recovery of more than 200 commands, first before any is read. */
  readonly onRecovery?: ((progress: RecoveryProgress) => void) | undefined;
  readonly logger: Logger;
  /** Log each step of each of its actors, as debug lines. Default: no. */
  readonly inspect?: boolean | undefined;
};
