import { closeSync, constants, fstatSync, futimesSync, openSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const CLOCK_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
/** Less than a tick of most kernels: 4 ms with `CONFIG_HZ=250`, 1 to 10 ms elsewhere. */
const TICK_PART_MS = 1;

/**
 * The ctime the kernel would write now, in nanoseconds: coarser than our clock and never ahead of it.
 *
 * @param clockFile A file of ours on the file system in question, created if missing.
 */
export function kernelTime(clockFile: string): bigint {
  const file = openSync(clockFile, CLOCK_FLAGS, 0o600);
  try {
    futimesSync(file, 0, 0);
    return fstatSync(file, { bigint: true }).ctimeNs;
  } finally {
    closeSync(file);
  }
}

/**
 * Waits until new changes get a later ctime than `changedAt`: one kernel tick, 1 to 10 ms.
 *
 * @param folder A folder of ours on the file system in question.
 * @param changedAt The latest ctime written so far, in nanoseconds.
 */
export async function nextKernelTick(folder: string, changedAt: bigint): Promise<void> {
  while (kernelTimeBy(folder) <= changedAt) await sleep(TICK_PART_MS);
}

/** Like {@link kernelTime}, with a folder of ours. */
export function kernelTimeBy(folder: string): bigint {
  utimesSync(folder, 0, 0);
  return statSync(folder, { bigint: true }).ctimeNs;
}
