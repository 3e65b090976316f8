import { startProcess } from '../process.ts';

/** From so many files on, one wait for the whole file system is shorter than one for each. */
export const MANY = 64;

/**
 * Waits until all that was written to the file system of a path is on the disk. False where the program for it
 * is missing: then each file has to be waited for.
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
