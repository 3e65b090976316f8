import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import * as z from 'zod';

const FILE = join('.signalbox', 'server.json');

/** How programs of the same account reach the server of a workspace: the file is readable by its owner alone. */
const LocalAccess = z.strictObject({ url: z.url(), token: z.string(), pid: z.int() }).readonly();
export type LocalAccess = z.infer<typeof LocalAccess>;

export function writeLocalAccess(workspace: string, access: LocalAccess): void {
  const file = join(workspace, FILE);
  const fresh = `${file}.${access.pid}`;
  writeFileSync(fresh, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  // A file that stood there keeps its mode.
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}

/** Only that of this process: another server may have come since. */
export function removeLocalAccess(workspace: string, pid: number): void {
  if (findLocalAccess(workspace)?.pid === pid) rmSync(join(workspace, FILE), { force: true });
}

/** Null where no server runs, as far as the file tells. */
export function findLocalAccess(workspace: string): LocalAccess | null {
  try {
    return LocalAccess.parse(JSON.parse(readFileSync(join(workspace, FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** @throws {UnavailableError} `no-server` */
export function localAccess(workspace: string, what: string): LocalAccess {
  const access = findLocalAccess(workspace);
  if (access !== null) return access;
  throw new UnavailableError('no-server', `Cannot ${what}: no server runs for this workspace`, {
    next: ['signalbox serve', 'signalbox run … hosts one too'],
  });
}
