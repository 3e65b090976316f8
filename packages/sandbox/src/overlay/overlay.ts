import { closeSync, constants, openSync } from 'node:fs';
import { kernelTime } from '../kernel-time.ts';
import { removeLayer } from './disk-layer.ts';

/** The layers of one command, reachable until they are closed: also when all its processes are dead. */
export type Overlay = {
  /** Path of what the command wrote. */
  readonly upper: string;
  /** Path of what the command saw. */
  readonly merged: string;
  /** Time of the kernel, in nanoseconds: what changed on the machine from then on, changed under the command. */
  readonly since: bigint;
  close(): void;
};

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Takes hold of the layers of a command that is about to begin.
 *
 * @param pid Bubblewrap's outer process, which still has the machine's root.
 */
export function holdOverlay(
  pid: number,
  {
    mountPoint,
    clockFile,
    layer,
  }: {
    readonly mountPoint: string;
    /** A file of ours on the workspace's file system: its time of change is the kernel's time. */
    readonly clockFile: string;
    /** The folder on a disk that holds what it writes, removed with the overlay; null: it lies in memory. */
    readonly layer: string | null;
  },
): Overlay {
  const root = `/proc/${pid}/root${mountPoint}`;
  const upper = openSync(`${root}/upper`, FOLDER);
  let merged: number;
  try {
    merged = openSync(`${root}/merged`, FOLDER);
  } catch (cause) {
    closeSync(upper);
    throw cause;
  }
  return {
    upper: `/proc/self/fd/${upper}`,
    merged: `/proc/self/fd/${merged}`,
    since: kernelTime(clockFile),
    close() {
      closeSync(merged);
      closeSync(upper);
      if (layer !== null) void removeLayer(layer);
    },
  };
}
