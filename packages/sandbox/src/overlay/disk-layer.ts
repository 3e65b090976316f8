import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from '@signalbox/core';
import { readTrusted } from '../programs.ts';
import { isAlive } from '../process-tree.ts';

/**
 * A folder of ours on a disk, below which each command has one for what it writes, by the number of the process that
 * confines it. It can't lie in the workspace: an overlay may not write into what it lies on.
 *
 * @throws {SandboxError} when it can't be made, or is not ours alone.
 */
export function diskFolder(parent: string, uid: number): string {
  const folder = join(parent, `signalbox-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // There already, or refused below.
  }
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o77) === 0) return folder;
  throw new SandboxError('Cannot run the command: it may write more than fits into memory, and has no disk', {
    why: [`The folder "${folder}" can not be made, or is not ours alone`],
    next: ['Take away the folder, or set a smaller sandbox.resource_limits.max_written_mb'],
  });
}

/** Removes what the dead have left there. */
export function sweepDiskFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name))) void removeLayer(join(folder, name));
  }
}

/** Removes a command's folder, whatever permissions it has given to what lies in it. */
export async function removeLayer(folder: string): Promise<void> {
  // Its number may soon be another's.
  const gone = join(folder, '..', `gone-${randomUUID()}`);
  try {
    renameSync(folder, gone);
  } catch {
    return;
  }
  // What is left of it is tried again by the next sweep.
  await rm(gone, { recursive: true, force: true }).catch(() => removeStubborn(gone).catch(() => undefined));
}

/**
 * An ordinary user can't empty a folder that it may not read; the overlay's own work folder is one. And a path may have
 * been made that is too long for one call; the system's own programs go down step by step.
 */
async function removeStubborn(folder: string): Promise<void> {
  const script = 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"';
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: REMOVAL_MS };
  await readTrusted(['/bin/sh', '-c', script, 'signalbox', folder], options);
}

const REMOVAL_MS = 600_000;

/** How many names lie below a folder; no more than one over `most` are counted. What vanishes is left out. */
export async function countNames(folder: string, most: number): Promise<number> {
  let count = 0;
  const left = [folder];
  for (let next = left.pop(); next !== undefined && count <= most; next = left.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        count += 1;
        if (entry.isDirectory()) left.push(join(next, entry.name));
        if (count > most) break;
      }
    } catch {
      // Gone, or not to be read: its own name is counted.
    }
  }
  return count;
}
