import type { ClientEnvironment } from '../client-environment.ts';
import type { Execution, Isolation } from '../commands/execution.ts';
import type { FileTouch } from '../files/file-touch.ts';
import type { CommandId } from '../id.ts';
import type { Lease } from '../leases/lease.ts';
import type { HostPattern } from '../network/host-pattern.ts';
import type { NetworkUse } from '../network/network-use.ts';
import type { LoggedInTool } from '../settings/rules/approval-settings.ts';

/** A shell line runs in exactly `/bin/bash --noprofile --norc -c`; an argv without any shell. */
export type Program =
  | { readonly kind: 'shell'; readonly line: string }
  | { readonly kind: 'argv'; readonly argv: readonly [string, ...string[]] };

/**
 * Where a program of a command leaves a report for Signalbox: in the command's private `/tmp`, so that it is no file of the
 * workspace and nobody else's.
 */
export const REPORT_FILE = '/tmp/signalbox-report';

/** How a shell line is run so that its program also writes a report. What it prints and answers is the same. */
export type ReportRequest = {
  /** Run in place of the line, which is the one that was judged: it only has options for the report in addition. */
  readonly line: string;
  /** Added to the environment; after a variable's own value, where it has one. */
  readonly env: Readonly<Record<string, string>>;
};

export type ExecutionLimits = {
  readonly timeoutMs: number;
  /** For the whole process tree. Default: the executor's own share of its machine. */
  readonly memoryBytes?: number;
  /** Percent of all the machine's processors together. */
  readonly cpuPercent: number;
  readonly processes: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  /** For all files together, where an executor can measure it. Default: the executor's own bound. */
  readonly writtenBytes?: number;
  /** Number of created files, folders and links, likewise. */
  readonly writtenFiles?: number;
};

/**
 * `on`: the machine's own network, unwatched. `hosts`: through a gate that passes HTTP and TLS to these hosts and
 * reports every connection; no other network, not even a name service. `services`: ports of this machine's loopback
 * that are forwarded in addition, for any protocol. Default none.
 */
export type NetworkAccess =
  | 'off'
  | 'on'
  | { readonly hosts: readonly HostPattern[]; readonly services?: readonly HostPattern[] };

export type ExecutionRequest = {
  readonly commandId: CommandId;
  readonly program: Program;
  /** Directory inside the workspace, relative to it; `.` is the workspace. */
  readonly cwd: string;
  /** Added to the clean environment; the executor refuses certain names. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The client's environment: overrides the executor's own `PATH`, time zone and locale, when it runs on that machine.
   */
  readonly clientEnv?: ClientEnvironment;
  readonly limits: ExecutionLimits;
  readonly network: NetworkAccess;
  /** `read`: the workspace is mounted read-only, for tools that only read. */
  readonly workspace: 'write' | 'read';
  /** Paths below the home (`~/.cache/x`) that it may read, besides toolchains; never folders of keys. */
  readonly readableHome?: readonly string[];
  /** The tool whose login on this machine it may also use, where this executor can show it. Default: none. */
  readonly login?: LoggedInTool;
  /**
   * Files that the user's programs read as settings or code, and whose change by this call a person approved. On the
   * workspace itself the others are read-only.
   */
  readonly agreed?: readonly string[];
  /**
   * Git may bring any file of the workspace to what another commit holds. On the workspace itself none of those files
   * is read-only then, and its changes to them are judged after it exits. Default false.
   */
  readonly movesTree?: boolean;
  /** Its line runs git fetch, which may change where history begins (`.git/shallow`). Default false. */
  readonly fetches?: boolean;
  /** It may replace and remove files of any total size: a person typed it (S001-110). Default false. */
  readonly replacesAnySize?: boolean;
  /** Text for standard input; empty otherwise. At most 1 MiB. */
  readonly stdin?: string;
  /** Runs a shell line on its own terminal, which joins both streams into one. Default false. */
  readonly terminal?: boolean;
  /** Exit codes other than 0 that are not failures: its changes are never rolled back for them. Default none. */
  readonly answerCodes?: readonly number[];
  /**
   * Makes its program write a report, where the executor can read {@link REPORT_FILE} when it has ended; elsewhere it is
   * ignored. Default: none.
   */
  readonly report?: ReportRequest;
};

export type ExecutionHooks = {
  /**
   * Abort to stop the whole process tree: TERM, then KILL after the grace period. The promise settles when it is dead.
   */
  readonly signal: AbortSignal;
  /** Abort in addition to skip the grace period, also during a stop. Default: never. */
  readonly kill?: AbortSignal;
  /**
   * Complete UTF-8, in arrival order of each stream; the receiver redacts it. At least the first 4 MiB of each stream,
   * and then no more.
   */
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
  /**
   * Additional paths that this command must not read, besides the general ones. The same function for the same denials.
   */
  readonly isDenied?: (path: string) => boolean;
  /** The patterns behind `isDenied`, for an executor that hands the command to another process. */
  readonly deniedPatterns?: readonly string[];
  /** Labels that a worker must offer to run it, where workers run commands. Default: none. */
  readonly labels?: readonly string[];
  /** The first connection to a target with an outcome, for at most 100 of them. */
  readonly onConnection?: (use: NetworkUse) => void;
  /**
   * The lease that it runs under. When it is not renewed in time, the process tree is killed from outside our own
   * process, which may be frozen. Default: none.
   */
  readonly lease?: LeaseTerm;
  /** Called when it runs on another machine, where files may differ from those here. */
  readonly onRemote?: () => void;
  /** Called once the process exists. */
  readonly onStart?: (pid: number) => void;
  /**
   * Called by an executor whose commands are transactions, after the process tree has exited and before its files are
   * committed to the workspace; not called when it changed none. Default: always ok.
   *
   * @param removedFolders Folders that are removed as a whole: files that others create in one meanwhile would be
   * removed with it.
   */
  readonly mayCommit?: (
    changes: readonly FileTouch[],
    removedFolders?: readonly string[],
  ) => Promise<CommitAnswer>;
};

/** How long a lease is still our own. */
export type LeaseTerm = {
  /** From now on, in milliseconds, unless it is renewed. */
  readonly remainingMs: () => number;
  /** Calls back after each renewal; returns a function that unsubscribes. */
  readonly onRenewed: (listener: () => void) => () => void;
  /** The lease, for checks with the backend; undefined while it is exchanged for another. */
  readonly current?: () => Lease | undefined;
};

export type CommitAnswer =
  | { readonly kind: 'ok' }
  | {
      readonly kind: 'conflict' | 'denied';
      /** Facts, one a line. */
      readonly why: readonly string[];
    };

/** Runs commands' processes. */
export interface Executor {
  /**
   * Runs a program to its end. A timeout, a signal, a limit and a stop are endings, not errors.
   *
   * @throws {SandboxError} when it could not be confined: nothing was run.
   */
  execute(request: ExecutionRequest, hooks: ExecutionHooks): Promise<Execution>;
  /** How a command would be confined now. */
  isolation(): Promise<Isolation>;
  /**
   * Whether a shell line certainly finds no program of this name, and the similar name that does exist. `mayBeMade`: a
   * folder of the program path is in the workspace. False, or an executor without this method: unknown.
   */
  lacks?(
    program: string,
    request: Pick<ExecutionRequest, 'clientEnv'>,
  ): Promise<false | { readonly meant: string | undefined; readonly mayBeMade: boolean }>;
  /**
   * Ends what it keeps ready for the next command; called once, when no command runs and none will. An executor without
   * it keeps nothing.
   */
  close?(): Promise<void>;
}
