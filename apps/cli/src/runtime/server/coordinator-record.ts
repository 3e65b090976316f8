import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import * as z from 'zod';
import { quoteWord } from '../../terminal/quote-word.ts';
import { readStateFile } from '../workspace/state-file.ts';
import { makeOwnState, STATE_FOLDER } from '../workspace/state-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The coordinator that has the socket of a workspace, and the socket's path. */
export const CoordinatorRecord = z
  .object({
    /** Unique per coordinator: only the writer of the record may remove it. */
    nonce: z.string(),
    pid: z.int(),
    /** Distinguishes that process from a later one with the same pid: a `ProcessIdentity` of packages/embedded. */
    process: z.unknown(),
    version: z.string(),
    /** Epoch milliseconds. */
    startedAt: z.number(),
    /** Absolute path of the socket. */
    socket: z.string(),
  })
  .readonly();
export type CoordinatorRecord = z.infer<typeof CoordinatorRecord>;

/** Below `.signalbox`; only its owner may enter it. */
export const RUN_FOLDER = 'run';
/** File name inside that folder. */
export const RECORD = 'coordinator.json';
const SOCKET = 'coordinator.sock';
/** Folder for all sockets whose own path would be too long. */
const SHORT_FOLDER = 'signalbox';
/** The system accepts at most 107 bytes; the temporary name used for binding is longer than the final one. */
const LONGEST_PATH_BYTES = 99;
const OTHERS_MAY = 0o077;

/**
 * Null if no coordinator of this workspace left a record. Only the socket tells whether it still runs. A record that
 * names another socket came with the files, for example from an archive, and is ignored.
 */
export function readRecord(workspace: string): CoordinatorRecord | null {
  try {
    const text = readStateFile(recordIn(workspace)) ?? '';
    const record = CoordinatorRecord.parse(JSON.parse(text), { jitless: true });
    return mayBeSocketOf(workspace, record.socket) ? record : null;
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    return null;
  }
}

export function writeRecord(workspace: string, record: CoordinatorRecord): void {
  const file = recordIn(workspace);
  const draft = `${file}.${record.pid}`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Removes the socket and the record of this coordinator; a successor's stay. */
export function removeRecord(workspace: string, nonce: string): void {
  const record = readRecord(workspace);
  if (record?.nonce !== nonce) return;
  if (lstatSync(record.socket, { throwIfNoEntry: false })?.isSocket() === true) rmSync(record.socket);
  rmSync(recordIn(workspace), { force: true });
}

/**
 * Path for the socket of a workspace; its folder is created and checked. A socket path may have 107 bytes. If the
 * workspace's own path is too long, the socket is in a folder of the account that no command sees, never in one for
 * temporary files. `bound` is the name it is bound to; that folder has no other.
 *
 * @throws {UnavailableError} `state-unsafe` unless the folder is a real one owned by this account alone
 */
export function prepareSocket(
  workspace: string,
  env: Environment,
): Readonly<{ path: string; bound: string }> {
  const run = join(workspace, STATE_FOLDER, RUN_FOLDER);
  // Does not recreate the workspace itself if that was removed.
  makeOwnState(workspace);
  makePrivate(run);
  const near = nearSocket(workspace);
  if (Buffer.byteLength(near) <= LONGEST_PATH_BYTES)
    return { path: near, bound: join(run, `.${process.pid}`) };
  const runtime = env['XDG_RUNTIME_DIR'];
  const parent = runtime?.startsWith('/run/') === true ? runtime : join(env['HOME'] || homedir(), '.cache');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = join(parent, SHORT_FOLDER);
  makePrivate(folder);
  const far = join(folder, `${farName(workspace)}-${process.pid}.sock`);
  return { path: far, bound: far };
}

function mayBeSocketOf(workspace: string, socket: string): boolean {
  if (socket === nearSocket(workspace)) return true;
  const name = `${farName(workspace)}-`;
  return (
    isAbsolute(socket) &&
    basename(dirname(socket)) === SHORT_FOLDER &&
    basename(socket).startsWith(name) &&
    /^\d+\.sock$/.test(basename(socket).slice(name.length))
  );
}

function nearSocket(workspace: string): string {
  return join(workspace, STATE_FOLDER, RUN_FOLDER, SOCKET);
}

function farName(workspace: string): string {
  // Loaded only for a long path: most sockets have a short one, and this loads longer than everything else here.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(workspace).digest('hex').slice(0, 16);
}

function recordIn(workspace: string): string {
  return join(workspace, STATE_FOLDER, RUN_FOLDER, RECORD);
}

function makePrivate(folder: string): void {
  makeFolder(folder);
  requirePrivate(folder);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** @throws {UnavailableError} `state-unsafe` */
export function requirePrivate(folder: string): void {
  const stats = lstatSync(folder);
  const own = process.geteuid?.() ?? stats.uid;
  if (!stats.isDirectory() || stats.uid !== own) {
    throw new UnavailableError('state-unsafe', `Cannot use "${folder}": it is not a folder of your own`, {
      why: ['its owner could impersonate the coordinator'],
      next: [`ls -ld ${quoteWord(folder)}`, `rm -r ${quoteWord(folder)}   then Signalbox creates its own`],
    });
  }
  if ((stats.mode & OTHERS_MAY) !== 0) chmodSync(folder, 0o700);
}
