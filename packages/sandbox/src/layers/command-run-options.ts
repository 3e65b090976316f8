import type { Clock, Isolation, LimitKey } from '@signalbox/core';
import type { SandboxInit } from '../bubblewrap/init-process.ts';
import type { CopyRetention } from '../commit/prune-copies.ts';
import type { WrittenPaths } from '../overlay/written.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';

export type CommandRunOptions = {
  readonly clock: Clock;
  /** Time between TERM and KILL. */
  readonly graceMs: number;
  /** Absolute folder for the full text of long output. */
  readonly spillFolder: string;
  /** How long full texts of output are kept. Default: seven days, 2 GiB. */
  readonly outputsKept?: CopyRetention | undefined;
  /** Absolute, inside the workspace. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isolation: Isolation;
  /** False when an operator switched confinement off. */
  readonly confined: boolean;
  /**
   * Whether the command has user ids of its own. Otherwise the process limit would count all processes of our
   * user.
   */
  readonly hasOwnUsers: boolean;
  /** Whether the kernel kills the command when we die. Otherwise the supervisor does. */
  readonly diesWithUs: boolean;
  /** Starts a sandbox init, or takes a standby that fits the current state of the machine. */
  readonly takeInit: () => SandboxInit | Promise<SandboxInit>;
  /**
   * Called with the pid of the process we started, once the command is confined and before it begins. `exceed`
   * stops it for a limit.
   */
  readonly onConfined?: (pid: number, exceed: (limit: LimitKey) => void) => void;
  /** Called shortly after the command was told to begin. */
  readonly onBegun?: () => void;
  /** Kills the command when its lease expires while we are frozen. */
  readonly supervisor: Supervisor;
  /** Bytes it may write to files in memory, on top of its process memory limit. Default 0. */
  readonly writtenBytes?: number;
  /** Whether it writes to a disk, where its limit is sampled. Default false. */
  readonly writesToDisk?: boolean;
  /** What it has written, read after its death. Default: the samples. */
  readonly written?: () => WrittenPaths | null;
};
