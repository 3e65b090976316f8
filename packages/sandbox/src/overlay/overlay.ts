import { closeSync, constants, openSync } from 'node:fs';
import { kernelTime } from '../kernel-time.ts';
import { removeLayer } from './disk-layer.ts';

/** The layers of one command. Reachable until closed, even when all its processes are dead. */
export type Overlay = {
  /** Path of the upper layer, with what the command wrote. */
  readonly upper: string;
  /** Path of the merged tree the command saw. */
  readonly merged: string;
  /** Kernel time, in nanoseconds: later changes on the machine happened during the command. */
  readonly since: bigint;
  close(): void;
};

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens the layers of a command that is about to begin.
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
    /** A file of ours on the workspace's file system; its ctime gives the kernel's time. */
    readonly clockFile: string;
    /** The folder on a disk with its files, removed with the overlay; null if they are in memory. */
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
