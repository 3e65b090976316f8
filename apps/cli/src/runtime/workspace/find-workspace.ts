import { realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { UsageError } from '@signalbox/core';
import { quoteWord } from '../../terminal/quote-word.ts';
import { SHARED_FILE } from './state-folder.ts';
import { requireOwnState, STATE_FOLDER } from './state-folder.ts';

/** The user's folder, and the workspace that contains it. */
export type FoundWorkspace = Readonly<{
  /** Absolute, without links. */
  cwd: string;
  /** The workspace; absolute, without links. */
  directory: string;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/** `takesBrought`: for callers that ask the user about a `.signalbox` that was not made here. */
type FindOptions = Readonly<{ takesBrought?: boolean }>;

/**
 * The workspace of a folder, found as git finds a repository: the nearest folder upward, at most the root of the git
 * repository, that has a `.signalbox` folder or a `signalbox.yaml`. Otherwise the git root, and without git the folder
 * itself. Home, `/` and world-writable folders are not workspaces of the folders below them.
 *
 * @throws {UsageError} `no-workspace` if the folder does not exist; `foreign-workspace` if the one above belongs to
 * another account; `nested-workspace` if it is inside another workspace
 * @throws {UnavailableError} `state-unsafe` if its `.signalbox` is a link, belongs to another account, or was not made
 * here
 */
export function findWorkspace(
  from: string,
  env: Environment,
  { takesBrought = false }: FindOptions = {},
): FoundWorkspace {
  const cwd = realFolder(from);
  const home = realHome(env);
  const folders = [cwd, ...foldersAbove(cwd, home)];
  const gitRoot = folders.findIndex((folder) => exists(join(folder, '.git')));
  const withinGit = gitRoot < 0 ? folders : folders.slice(0, gitRoot + 1);
  const marked = withinGit.find((folder) => isWorkspace(folder));
  if (marked !== undefined && marked !== cwd) refuseForeign(marked, cwd);
  const directory = marked ?? folders[gitRoot] ?? cwd;
  refuseNested(directory, env);
  if (!takesBrought) requireOwnState(directory);
  return { cwd, directory };
}

/** Whether this very folder was made a workspace: by `init`, by settings, or by earlier work in it. */
export function isWorkspace(folder: string): boolean {
  return (
    statOf(join(folder, STATE_FOLDER))?.isDirectory() === true ||
    statOf(join(folder, SHARED_FILE))?.isFile() === true
  );
}

/**
 * Two workspaces over the same files would have two coordinators that don't know of each other's commands.
 *
 * @throws {UsageError} `nested-workspace`
 */
export function refuseNested(directory: string, env: Environment): void {
  const outer = foldersAbove(directory, realHome(env)).find(
    (folder) => isWorkspace(folder) && ownersOf(folder).some((owner) => isTrusted(owner, directory)),
  );
  if (outer === undefined) return;
  const inner = relative(outer, directory);
  throw new UsageError('nested-workspace', `Cannot use "${inner}": it is inside the workspace "${outer}"`, {
    why: ['two workspaces on the same files would not see each other’s commands'],
    next: [
      `signalbox -C ${quoteWord(outer)} …   works in the outer one`,
      ...(isWorkspace(directory) ? [`or move ${STATE_FOLDER} and ${SHARED_FILE} out of "${inner}"`] : []),
    ],
  });
}

/** @throws {UsageError} `not-a-workspace` unless the folder was made one */
export function requireWorkspace(directory: string, what: string): void {
  if (isWorkspace(directory)) return;
  throw new UsageError('not-a-workspace', `Cannot ${what}: "${directory}" is not a Signalbox workspace yet`, {
    why: [
      `there is no ${SHARED_FILE} or ${STATE_FOLDER} in it or in a folder above it, up to the root of its git repository`,
    ],
    next: [`signalbox init ${quoteWord(directory)}`, 'signalbox -C DIR …   for a workspace elsewhere'],
  });
}

/** @throws {UsageError} `no-workspace` if the folder does not exist */
export function realFolder(path: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw noFolder(path, error);
  }
  throw noFolder(path);
}

function noFolder(path: string, cause?: unknown): UsageError {
  const isDenied = cause instanceof Error && 'code' in cause && cause.code === 'EACCES';
  return new UsageError(
    'no-workspace',
    `Cannot work in "${path}": ${isDenied ? 'you may not enter it' : 'there is no such directory'}`,
    { cause },
  );
}

/** Nearest first, without home, `/`, and everything from the first world-writable folder on. */
function foldersAbove(folder: string, home: string): readonly string[] {
  const found: string[] = [];
  for (let above = dirname(folder); above !== dirname(above) && above !== home; above = dirname(above)) {
    const stats = statOf(above);
    if (stats === undefined || (stats.mode & WRITABLE_BY_ALL) !== 0) break;
    found.push(above);
  }
  return found;
}

const WRITABLE_BY_ALL = 0o002;

/** Home without links. */
export function realHome(env: Environment): string {
  const home = env['HOME'] || homedir();
  try {
    return realpathSync(home);
  } catch {
    return home;
  }
}

/** Like git's `safe.directory`: an account that can write in a parent folder could leave settings there. */
function refuseForeign(workspace: string, cwd: string): void {
  if (ownersOf(workspace).every((owner) => isTrusted(owner, cwd))) return;
  throw new UsageError(
    'foreign-workspace',
    `Cannot use the workspace "${workspace}", which contains "${basename(cwd)}": it belongs to another account`,
    { next: [`signalbox -C ${quoteWord(workspace)} …   if you trust its owner`] },
  );
}

/** Owners of the files that make it a workspace. */
function ownersOf(workspace: string): readonly number[] {
  return [STATE_FOLDER, SHARED_FILE].flatMap((name) => statOf(join(workspace, name))?.uid ?? []);
}

/** Ours, or the owner of the folder that we were told to work in. */
function isTrusted(owner: number, folder: string): boolean {
  return owner === process.geteuid?.() || owner === statOf(folder)?.uid;
}

function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

/** Undefined also if access is denied. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
