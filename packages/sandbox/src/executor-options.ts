import type { Clock, NamedFiles } from '@signalbox/core';
import type { CopyRetention } from './commit/let-go.ts';
import type { CommitWriter } from './commit/writer.ts';
import type { ContainerOptions } from './containers/container-options.ts';
import type { IsDenied } from './denials/default-denials.ts';
import type { ReadView } from './denials/read-view.ts';
import type { RunningCalls } from './direct/running-calls.ts';
import type { GitIdentity } from './git/git-identity.ts';
import type { Resolve } from './network/admission.ts';

export type ExecutorOptions = {
  /** Absolute and real. */
  readonly workspace: string;
  /** Our own folder, made when it is missing; commands see it empty. Long output goes to `output/` in it. */
  readonly stateFolder: string;
  /** Folders of programs, `:` between them. */
  readonly path: string;
  /** The operator's home: masked but for toolchains. */
  readonly home: string;
  /**
   * `where-possible`: without confinement where no layer holds, because a person said so; never from a file or a
   * provider. `off-by-operator`: without any even where one holds.
   */
  readonly confinement: 'required' | 'where-possible' | 'off-by-operator';
  readonly clock: Clock;
  /** Called when a trial of the sandbox runs: whoever waits for it has time for something else. Default: nobody does. */
  readonly onTrial?: () => void;
  /** Who commits where the repository does not say. Default: nobody in particular, `signalbox@localhost`. */
  readonly gitIdentity?: GitIdentity;
  /** More folders and files that commands may read although they lie below the home. Default none. */
  readonly visible?: readonly string[];
  /**
   * Files of certificates that commands trust besides, by the variables that name them: absolute, real, and outside of
   * the workspace. Shown read-only. Default none.
   */
  readonly certificates?: Readonly<Record<string, string>>;
  /** What commands must not read. Default {@link defaultIsDenied}. */
  readonly isDenied?: IsDenied;
  /** What alone may be read of the workspace. Default: all that is not denied. */
  readonly readView?: () => ReadView | null;
  /** What of the workspace programs of the person read as settings or code, besides what its name says. Default none. */
  readonly namedFiles?: (changed?: readonly string[]) => NamedFiles;
  /** Shared with whatever else writes to this workspace itself, such as servers of tools. Default: nothing does. */
  readonly runningCalls?: RunningCalls;
  /**
   * `where-possible`: a command that may write runs on an overlay of the workspace, and what it wrote is put
   * there when it is dead, all or nothing. Where that can't be, on the workspace itself. `required`: where that
   * can't be, nothing runs. Default `off`.
   */
  readonly transactions?: 'required' | 'where-possible' | 'off';
  readonly transactionRules?: TransactionRules;
  /** This process, where others may put files into the workspace too. Default: none does while it lives. */
  readonly writer?: CommitWriter;
  /**
   * In bytes, what of a command's files may lie in memory; one that may write more has them on a disk. Also what one
   * may write whose limits do not say. Default a quarter of the machine's memory, 2 GiB at most.
   */
  readonly filesInMemoryBytes?: number;
  /** A folder on a disk for what does not fit into memory, outside of the workspace. Default `/var/tmp`. */
  readonly disk?: string;
  /** Addresses of a name, for commands that may talk to hosts. Default: the machine's own name service. */
  readonly resolve?: Resolve;
  /** This machine's accounts, whose homes commands see empty. Default `/etc/passwd`. */
  readonly accounts?: string;
  /** Absolute path of bubblewrap's program. Default: where packages put it, then `path`. */
  readonly bubblewrap?: string;
  /** A container engine to use where bubblewrap does not hold. Default none. */
  readonly container?: ContainerOptions;
  /**
   * `only`: commands run by `@anthropic-ai/sandbox-runtime`, where it is installed, and by nothing else: to measure
   * it. Default: on macOS, where no better layer is.
   */
  readonly sandboxRuntime?: 'only';
  /**
   * For how many kinds of commands a confined process waits in advance, so that the next starts sooner; where many
   * came at once, as many wait, 8 at most. Default 2; 0: none.
   */
  readonly standby?: number;
  /** Between TERM and KILL, in milliseconds. Default 2,000. */
  readonly graceMs?: number;
};

/** What becomes of a transaction's files (S001-104, S001-111). */
export type TransactionRules = {
  /** Exit codes with which a command's files are not put. Default none. */
  readonly rollBackOn?: readonly number[];
  /** Whether a command that a signal killed has its files put all the same. Default: not. */
  readonly keepOnSignal?: boolean;
  /** Whether a roll-back takes a path back; the others are put all the same. Default: every path. */
  readonly isInScope?: (path: string) => boolean;
  /** Bytes of what a command may replace or remove, which is kept for its undo; over it nothing is put. Default unbounded. */
  readonly maxReplacedBytes?: number;
  /** What of the replaced is kept for `undo`, and of the full texts of outputs: each. Default: seven days, 2 GiB. */
  readonly copiesKept?: CopyRetention;
  /** `merge`: where others changed a file too, a clean merge of both is put. Default `conflict`. */
  readonly onConflict?: 'conflict' | 'merge';
};
