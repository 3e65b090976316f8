import type { Clock, NamedFiles } from '@signalbox/core';
import type { CopyRetention } from './commit/prune-copies.ts';
import type { CommitWriter } from './commit/disk/writer.ts';
import type { ContainerOptions } from './containers/container-options.ts';
import type { IsDenied } from './denials/default-denials.ts';
import type { ReadView } from './denials/read-view.ts';
import type { RunningCalls } from './direct/running-calls.ts';
import type { GitIdentity } from './git/git-identity.ts';
import type { Resolve } from './network/admission.ts';

export type ExecutorOptions = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** Our own folder, created if missing. Commands see it empty. Full texts of long output go to `output/` in it. */
  readonly stateFolder: string;
  /** Folders of programs, separated by `:`. */
  readonly path: string;
  /** The operator's home. Masked except for toolchains. */
  readonly home: string;
  /**
   * `where-possible` runs commands unconfined when no layer works. Only a person can choose it, never a file or
   * a provider. `off-by-operator` runs them unconfined even when one works.
   */
  readonly confinement: 'required' | 'where-possible' | 'off-by-operator';
  readonly clock: Clock;
  /** Called while a trial of the sandbox runs, for work that can be done during the wait. Default: nothing. */
  readonly onTrial?: () => void;
  /** Author of commits if the repository names none. Default: `signalbox@localhost`. */
  readonly gitIdentity?: GitIdentity;
  /** More folders and files below the home that commands may read. Default none. */
  readonly visible?: readonly string[];
  /**
   * Certificate files that commands trust in addition, by the variable that names them. Absolute paths with
   * links resolved, outside the workspace. Shown read-only. Default none.
   */
  readonly certificates?: Readonly<Record<string, string>>;
  /** What commands must not read. Default {@link defaultIsDenied}. */
  readonly isDenied?: IsDenied;
  /** Limits reading to these paths of the workspace. Default: all that is not denied. */
  readonly readView?: () => ReadView | null;
  /**
   * Files of the workspace that the user's programs read as settings or code, beyond those known by name.
   * Default none.
   */
  readonly namedFiles?: (changed?: readonly string[]) => NamedFiles;
  /**
   * Shared with everything else that writes to this workspace directly, such as MCP servers. Default: nothing
   * else does.
   */
  readonly runningCalls?: RunningCalls;
  /**
   * `where-possible` runs a command that may write on an overlay of the workspace, and commits what it wrote
   * after its death, all or nothing. Without overlay support it runs on the workspace itself. `required` runs
   * nothing without overlay support. Default `off`.
   */
  readonly transactions?: 'required' | 'where-possible' | 'off';
  readonly transactionRules?: TransactionRules;
  /**
   * This process as one of several that may commit to the workspace. Default: it is the only one while it
   * lives.
   */
  readonly writer?: CommitWriter;
  /**
   * In bytes, how much of a command's files may be kept in memory; a command that may write more gets a disk.
   * Also the write limit of commands that set none. Default: a quarter of the machine's memory, at most 2 GiB.
   */
  readonly filesInMemoryBytes?: number;
  /** A folder on a disk, outside the workspace, for files that don't fit into memory. Default `/var/tmp`. */
  readonly disk?: string;
  /** Resolves a host name, for commands with network access. Default: the machine's resolver. */
  readonly resolve?: Resolve;
  /** The machine's list of accounts; their homes are masked. Default `/etc/passwd`. */
  readonly accounts?: string;
  /** Absolute path of bubblewrap. Default: where packages install it, then `path`. */
  readonly bubblewrap?: string;
  /** A container engine to use where bubblewrap doesn't work. Default none. */
  readonly container?: ContainerOptions;
  /**
   * `only` runs every command with `@anthropic-ai/sandbox-runtime`, to measure it. Default: used on macOS only,
   * if installed and no better layer works.
   */
  readonly sandboxRuntime?: 'only';
  /**
   * For how many kinds of commands a standby is started in advance. If many commands came at once, up to 8 of a
   * kind. Default 2; 0 turns it off.
   */
  readonly standby?: number;
  /** Time between TERM and KILL, in milliseconds. Default 2,000. */
  readonly graceMs?: number;
};

/** What happens to a transaction's files (S001-104, S001-111). */
export type TransactionRules = {
  /** Exit codes that roll a command's files back. Default none. */
  readonly rollBackOn?: readonly number[];
  /** Whether the files of a command killed by a signal are committed. Default false. */
  readonly keepOnSignal?: boolean;
  /** Whether a rollback covers a path; other paths are committed. Default: every path. */
  readonly isInScope?: (path: string) => boolean;
  /**
   * Bytes a command may replace or remove, as they are kept for undo. Above it nothing is committed. Default
   * unbounded.
   */
  readonly maxReplacedBytes?: number;
  /**
   * How long replaced files are kept for undo, and full texts of output; applies to each. Default: seven days,
   * 2 GiB.
   */
  readonly copiesKept?: CopyRetention;
  /** `merge` commits a clean merge when others changed a file too. Default `conflict`. */
  readonly onConflict?: 'conflict' | 'merge';
};
