import type { ClientEnvironment } from '../client-environment.ts';
import type { Execution, Isolation } from '../execution.ts';
import type { FileTouch } from '../file-touch.ts';
import type { CommandId } from '../id.ts';
import type { Lease } from '../lease.ts';
import type { HostPattern } from '../network/host-pattern.ts';
import type { NetworkUse } from '../network/network-use.ts';
import type { LoggedInTool } from '../settings/rules/approval-settings.ts';

/** A shell line runs in exactly `/bin/bash --noprofile --norc -c`; an argv without any shell. */
export type Program =
  | { readonly kind: 'shell'; readonly line: string }
  | { readonly kind: 'argv'; readonly argv: readonly [string, ...string[]] };

export type ExecutionLimits = {
  readonly timeoutMs: number;
  /** Of the whole process tree. Default: the executor's own share of its machine. */
  readonly memoryBytes?: number;
  /** Percent of all the machine's processors together. */
  readonly cpuPercent: number;
  readonly processes: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  /** Of all files together, where an executor can tell. Default: the executor's own bound. */
  readonly writtenBytes?: number;
  /** Files, folders and links that it makes, likewise. */
  readonly writtenFiles?: number;
};

/**
 * `on`: the machine's own network, unwatched. `hosts`: through a gate that lets pass HTTP and TLS to these hosts
 * and tells of every connection; nothing else of the network is there, no name service either. `services`: ports of
 * this machine's loopback that are forwarded besides, whatever is spoken there. Default none.
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
  /** Added to the clean environment; see the executor for names that are refused. */
  readonly env: Readonly<Record<string, string>>;
  /** Of who asked for it: over the executor's own `PATH`, time zone and locale, where it runs on that machine. */
  readonly clientEnv?: ClientEnvironment;
  readonly limits: ExecutionLimits;
  readonly network: NetworkAccess;
  /** `read`: the workspace is mounted read-only, for tools that only look. */
  readonly workspace: 'write' | 'read';
  /** Paths below the home (`~/.cache/x`) that it may read, besides toolchains and never what holds keys. */
  readonly readableHome?: readonly string[];
  /** The tool whose login on this machine it may use besides, where this executor can show it. Default: none. */
  readonly login?: LoggedInTool;
  /**
   * Files that programs of the person read as settings or code, and that a person agreed to have changed by this call.
   * On the workspace itself the others are read-only.
   */
  readonly agreed?: readonly string[];
  /**
   * Git may bring any file of the workspace to what another commit holds. On the workspace itself none of those files is
   * read-only then, and what it did to them is judged when it is dead. Default false.
   */
  readonly movesTree?: boolean;
  /** Its line has git fetch, which may change where history begins (`.git/shallow`). Default false. */
  readonly fetches?: boolean;
  /** Text for standard input; empty otherwise. At most 1 MiB. */
  readonly stdin?: string;
  /** A shell line runs on a terminal of its own, which joins both streams into one. Default false. */
  readonly terminal?: boolean;
  /** Exit codes, other than 0, that are no failure: what it changed is never taken back for them. Default none. */
  readonly answerCodes?: readonly number[];
};

export type ExecutionHooks = {
  /** Abort to stop the whole process tree: TERM, then KILL after the grace. The promise settles when it is dead. */
  readonly signal: AbortSignal;
  /** Abort besides to spare the grace, also of what is being stopped with it. Default: never. */
  readonly kill?: AbortSignal;
  /**
   * Complete UTF-8, in arrival order of each stream, redacted by whoever passes it on. At least the first 4 MiB of each
   * stream, and then no more.
   */
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
  /** More that this command must not read, besides what nobody may. The same function for the same denials. */
  readonly isDenied?: (path: string) => boolean;
  /** The patterns that `isDenied` was made of, for an executor that hands the command to another process. */
  readonly deniedPatterns?: readonly string[];
  /** What a worker must offer to run it, where workers run commands. Default: nothing special. */
  readonly labels?: readonly string[];
  /** The first connection to a target with an outcome, for at most 100 of them. */
  readonly onConnection?: (use: NetworkUse) => void;
  /**
   * The lease that it runs under. When it is not renewed in time the process tree is killed from outside of our
   * own process, which may be frozen. Default: none.
   */
  readonly lease?: LeaseTerm;
  /** Once the process exists. */
  readonly onStart?: (pid: number) => void;
  /**
   * Asked by an executor whose commands are transactions, when the process tree is dead and before its files
   * are put into the workspace; not asked when it changed none. Default: always ok.
   *
   * @param removedFolders Folders that go as a whole: what others make in one meanwhile would go with it.
   */
  readonly mayCommit?: (
    changes: readonly FileTouch[],
    removedFolders?: readonly string[],
  ) => Promise<CommitAnswer>;
};

/** For how long a lease is still our own. */
export type LeaseTerm = {
  /** From now on, in milliseconds, unless it is renewed. */
  readonly remainingMs: () => number;
  /** Calls back after each renewal; call the answer to end that. */
  readonly onRenewed: (listener: () => void) => () => void;
  /** What it is a lease of, for who asks the backend about it; undefined while it is exchanged for another. */
  readonly current?: () => Lease | undefined;
};

export type CommitAnswer =
  | { readonly kind: 'ok' }
  | {
      readonly kind: 'conflict' | 'denied';
      /** Facts, one a line. */
      readonly why: readonly string[];
    };

/** Where a command's process lives. */
export interface Executor {
  /**
   * Runs a program to its end. A timeout, a signal, a limit and a stop are endings, not errors.
   *
   * @throws {SandboxError} when it could not be confined: nothing was run.
   */
  execute(request: ExecutionRequest, hooks: ExecutionHooks): Promise<Execution>;
  /** What would confine a command now. */
  isolation(): Promise<Isolation>;
  /**
   * Whether a shell line that names a program by this name alone is sure to find none now, and then which it would find
   * by a name that is almost the same. `mayBeMade`: a folder that programs are found in is in the workspace. False, and an
   * executor that doesn't have it: nobody can tell.
   */
  lacks?(
    program: string,
    request: Pick<ExecutionRequest, 'clientEnv'>,
  ): Promise<false | { readonly meant: string | undefined; readonly mayBeMade: boolean }>;
  /**
   * Ends what it keeps ready for the next command; called once, when no command runs and none will. An executor that
   * doesn't have it keeps nothing.
   */
  close?(): Promise<void>;
}
