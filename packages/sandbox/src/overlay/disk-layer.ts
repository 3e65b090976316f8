import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from '@signalbox/core';
import { readTrusted } from '../programs.ts';
import { isAlive } from '../process-tree/process-tree.ts';

/**
 * Creates our folder on a disk. Below it each command has a folder for its files, named by the pid of the
 * process that confines it. It can't be in the workspace: an overlay must not write to its own lower layer.
 *
 * @throws {SandboxError} when it can't be created, or others have access
 */
export function diskFolder(parent: string, uid: number): string {
  const folder = join(parent, `signalbox-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It exists, or is rejected below.
  }
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o77) === 0) return folder;
  throw new SandboxError(
    'Cannot run the command: it may write more than fits into memory, and no disk folder is available for it',
    {
      why: [`The folder "${folder}" can't be created, or others have access to it`],
      next: ['Remove the folder, or set a smaller sandbox.resource_limits.max_written_mb'],
    },
  );
}

/** Removes folders of dead processes. */
export function sweepDiskFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name))) void removeLayer(join(folder, name));
  }
}

/** Removes a command's folder, whatever permissions its contents have. */
export async function removeLayer(folder: string): Promise<void> {
  // Renamed first, as its pid may be reused soon.
  const gone = join(folder, '..', `gone-${randomUUID()}`);
  try {
    renameSync(folder, gone);
  } catch {
    return;
  }
  // Leftovers are removed by the next sweep.
  await rm(gone, { recursive: true, force: true }).catch(() => removeStubborn(gone).catch(() => undefined));
}

/**
 * Removes a folder by system programs. An ordinary user can't empty a folder without read permission, such as
 * the overlay's own work folder, and a path may be too long for one call; the programs descend step by step.
 */
async function removeStubborn(folder: string): Promise<void> {
  const script = 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"';
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: REMOVAL_MS };
  await readTrusted(['/bin/sh', '-c', script, 'signalbox', folder], options);
}

const REMOVAL_MS = 600_000;

/** Counts the names below a folder, up to one over `max`. Names that vanish are skipped. */
export async function countNames(folder: string, max: number): Promise<number> {
  let count = 0;
  const left = [folder];
  for (let next = left.pop(); next !== undefined && count <= max; next = left.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        count += 1;
        if (entry.isDirectory()) left.push(join(next, entry.name));
        if (count > max) break;
      }
    } catch {
      // Gone or unreadable: its own name is counted.
    }
  }
  return count;
}
