import { startProcess } from '../../process.ts';

/** From this many files on, syncing the whole file system is faster than syncing each. */
export const MANY = 64;

/**
 * Waits until all writes to the file system of a path are on disk. Returns false if the program for it is
 * missing; then each file has to be synced.
 */
export async function syncFileSystem(path: string): Promise<boolean> {
  for (const program of ['/usr/bin/sync', '/bin/sync'] as const) {
    const { ended } = startProcess({
      argv: [program, '-f', path],
      cwd: '/',
      env: { LC_ALL: 'C' },
      descriptors: ['ignore', 'ignore', 'ignore'],
    });
    const end = await ended;
    if (end.kind === 'exited') return end.exitCode === 0;
  }
  return false;
}
