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
  RandomBytes,
  Redactor,
  Scheduler,
  SessionId,
  Settings,
  ToolRegistry,
} from '@signalbox/core';
import type { HostsOfSource, PolicyHolder } from '@signalbox/policy';
import type { Conditions } from './mode/watch-conditions.ts';
import type { RecoveryProgress } from './recovery/recovery.ts';
import type { SharedWorkspace } from './shared/shared-workspace.ts';

/** The ports and rooms that a coordinator joins; `compose` in the app puts them together. */
export type CoordinatorOptions = {
  /** Absolute path of the tree under guard. */
  readonly workspace: string;
  /** Home folder of the person who runs Signalbox, for rules that name it. */
  readonly home: string | undefined;
  readonly host: { readonly name: string; readonly pid: number };
  readonly auditFile: string;
  /** All audit logs of the workspace, to tell of commands that the history has dropped. Default: its own. */
  readonly auditFiles?: () => readonly string[];
  readonly store: CommandStore;
  readonly events: EventLog;
  readonly scheduler: Scheduler;
  readonly counters: Counters;
  readonly facts: Facts;
  /** Of a backend that can be away: what people are told meanwhile. Nothing is decided by it. Default: it can't be. */
  readonly lastKnown?: LastKnown | null | undefined;
  readonly executor: Executor;
  /** Whether commands are really confined: what the executor's probe said. */
  readonly sandboxed: boolean;
  /** Absolute folders, such as `/tmp`, that every command has to itself: what the probe said. Default none. */
  readonly ownFolders?: readonly string[] | undefined;
  /** Whether shell lines run as transactions, of which all is known and can be undone: what the probe said. */
  readonly transactional: boolean;
  readonly files: Files;
  /** What a call would do, for people. */
  readonly inspector: Inspector;
  readonly tools: ToolRegistry;
  readonly policy: PolicyHolder;
  readonly redactor: Redactor;
  readonly settings: Settings;
  /** The workspace's own shell lines, found or configured. */
  readonly lines: { readonly tests: string | null; readonly lint: string | null };
  /** The hosts that the project's own files name for a source now. Default: nobody looks. */
  readonly projectHosts?: HostsOfSource | undefined;
  /**
   * What of the workspace programs of the person read as settings or code now, besides what its name says; also in
   * repositories around the given paths. Default none.
   */
  readonly namedFiles?: ((changed?: readonly string[]) => NamedFiles) | undefined;
  /** The first line of a file of the workspace now, by its absolute path. Default: nobody looks. */
  readonly firstLineOf?: ((path: string) => string | undefined) | undefined;
  /** Paths that anybody has changed since then (epoch ms), as the file system tells. Default: nobody looks. */
  readonly editedSince?: ((sinceMs: number) => Promise<readonly string[]>) | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Ends a session that this process leads; false when it leads none of that id. Default: it leads none. */
  readonly stopSession?: (id: SessionId, by: string) => Promise<boolean>;
  /** Where the workspace has several coordinators. Default: this is the only one. */
  readonly shared?: SharedWorkspace | undefined;
  /** What commands need of this machine, looked at every 10 s: mode DEGRADED while it lacks. Default: nothing. */
  readonly conditions?: Conditions;
  /** Hears how far a recovery of more than 200 commands is, from before the first is read. */
  readonly onRecovery?: ((progress: RecoveryProgress) => void) | undefined;
  readonly logger: Logger;
  /** Logs each step of each of its actors, as debug lines. Default: no. */
  readonly inspect?: boolean | undefined;
};
