import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { NodeId } from '@signalbox/core';
import * as z from 'zod';
import { readStateFile } from '../workspace/state-file.ts';

const FILE = join('.signalbox', 'server.json');

/** If several coordinators serve one workspace, each has a file here with its id as the name. */
const FOLDER = join('.signalbox', 'servers');

/** How programs of the same account reach the port of a workspace. Only the owner can read the file. */
const AccessFile = z
  .strictObject({
    url: z.url(),
    token: z.string(),
    pid: z.int(),
    /** The machine that it listens on; absent if the workspace has one server. */
    host: z.string().optional(),
  })
  .readonly();

export type LocalAccess = z.infer<typeof AccessFile> &
  Readonly<{
    /** Absolute path of the coordinator's socket. Requests go there and need no token. */
    socket?: string;
  }>;

/** @param member id of the coordinator, if there are several */
export function writeLocalAccess(
  workspace: string,
  access: LocalAccess,
  { member }: Readonly<{ member?: NodeId | undefined }> = {},
): void {
  const file = join(workspace, member === undefined ? FILE : join(FOLDER, `${member}.json`));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${access.pid}`;
  writeFileSync(fresh, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  // An existing file keeps its mode.
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}

/** Only the file of this process: another server may have started since. */
export function removeLocalAccess(
  workspace: string,
  pid: number,
  { member }: Readonly<{ member?: NodeId | undefined }> = {},
): void {
  if (member !== undefined) rmSync(join(workspace, FOLDER, `${member}.json`), { force: true });
  else if (read(join(workspace, FILE))?.pid === pid) rmSync(join(workspace, FILE), { force: true });
}

/** Null if no server runs, as far as the files show. Of several on this machine, the latest. */
export function findLocalAccess(workspace: string): LocalAccess | null {
  const alone = read(join(workspace, FILE));
  if (alone !== null) return alone;
  const here = hostname();
  const [newest] = filesIn(join(workspace, FOLDER))
    .flatMap((file) => {
      const access = read(file);
      return access?.host === here && runs(access.pid) ? [{ access, at: statSync(file).mtimeMs }] : [];
    })
    .toSorted((one, other) => other.at - one.at);
  return newest?.access ?? null;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function read(file: string): LocalAccess | null {
  try {
    return AccessFile.parse(JSON.parse(readStateFile(file) ?? ''));
  } catch {
    return null;
  }
}

/** A killed server left its file behind. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
