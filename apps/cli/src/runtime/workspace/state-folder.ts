import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { quoteWord } from '../../terminal/quote-word.ts';
import { isMarked, isMarkName, putMark } from './state-mark.ts';
import { trackedBelow } from './tracked-below.ts';

/** Settings that come with a repository, in the root of its workspace. */
export const SHARED_FILE = 'signalbox.yaml';

/** Where a workspace keeps Signalbox's own files. */
export const STATE_FOLDER = '.signalbox';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Creates `.signalbox` if it is missing, but not the workspace itself.
 *
 * @throws {UnavailableError} `state-unsafe` if an existing one can't be used; system errors such as ENOSPC
 */
export function makeOwnState(workspace: string): void {
  const folder = join(workspace, STATE_FOLDER);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if (isOwnState(workspace)) return;
  hideFromGit(folder);
  putMark(folder);
}

/** Whoever uses a workspace without `init` has it not in the repository's .gitignore, and git adds it with all others. */
function hideFromGit(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Checks, before anything in it is read, that `.signalbox` is a real folder of this account that Signalbox made here,
 * and that nothing in it is a link or belongs to another account: a repository or an archive can bring such a folder. A
 * harmless one becomes ours. Write permission of other accounts is removed.
 *
 * @throws {UnavailableError} `state-unsafe`
 */
export function requireOwnState(workspace: string): void {
  if (isOwnState(workspace)) return;
  try {
    putMark(join(workspace, STATE_FOLDER));
  } catch {
    // Readers don't need it, and writers try again.
  }
}

/**
 * Whether `.signalbox` is usable but was not made here: from an earlier version, a backup, or a repository.
 *
 * @throws {UnavailableError} `state-unsafe` if confirming could not make it theirs
 */
export function isBroughtState(workspace: string): boolean {
  return stateOf(workspace) === 'brought';
}

/** Makes it the user's, after they confirmed. @throws {UnavailableError} `state-unsafe` */
export function takeOverState(workspace: string): void {
  if (isBroughtState(workspace)) putMark(join(workspace, STATE_FOLDER));
}

/** False for a folder that is safe to use but not marked yet. */
function isOwnState(workspace: string): boolean {
  const state = stateOf(workspace);
  if (state !== 'brought') return state === 'ours';
  const why = 'an earlier version made it, or it was cloned, unpacked or copied';
  throw unsafe(join(workspace, STATE_FOLDER), STATE_FOLDER, {
    why,
    next: ['signalbox config trust   shows what it contains, and asks you to confirm it'],
  });
}

/** `fresh`: harmless, and not marked yet. */
function stateOf(workspace: string): 'ours' | 'fresh' | 'brought' {
  const folder = join(workspace, STATE_FOLDER);
  const stats = statsOf(folder);
  if (stats === undefined) return 'ours';
  if (!stats.isDirectory())
    throw unsafe(folder, STATE_FOLDER, { why: `it is ${kindOf(stats)}, not a folder` });
  refuseForeign(folder, STATE_FOLDER, stats);
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) chmodSync(folder, stats.mode & 0o7777 & ~WRITABLE_BY_OTHERS);
  const names = readdirSync(folder);
  for (const name of names) checkEntry(folder, name);
  const tracked = trackedBelow(workspace, STATE_FOLDER).find((name) => !MAY_BE_TRACKED.has(name));
  if (tracked !== undefined)
    throw unsafe(folder, tracked, { why: 'git tracks it, so it came with the repository' });
  // Checked after the names were read: another process marks the folder before it puts anything there.
  if (isMarked(folder)) return 'ours';
  return names.every(isHarmless) ? 'fresh' : 'brought';
}

/** Files that can do no harm, or count only once confirmed. */
const HARMLESS = ['local.yaml', 'schema.json', '.gitignore'];
const MAY_BE_TRACKED: ReadonlySet<string> = new Set(HARMLESS.map((name) => `${STATE_FOLDER}/${name}`));

/** The copy counts by its hash, like the file; drafts are never read. */
const HARMLESS_UNTRACKED: ReadonlySet<string> = new Set([
  ...HARMLESS,
  'local.confirmed.yaml',
  ...[...HARMLESS, 'local.confirmed.yaml'].map((name) => `${name}.draft`),
]);

function isHarmless(name: string): boolean {
  return HARMLESS_UNTRACKED.has(name) || isMarkName(name) || PIPE_OF_COMMAND.test(name);
}

/**
 * The sandbox makes command pipes with such names, unlinks them at once, and never opens one it finds: another process
 * is using it right now, or was killed meanwhile.
 */
const PIPE_OF_COMMAND = /^pipe-[0-9a-f]{8}-[0-9a-f-]{27}-\d{1,2}$/;

/** A state file or a folder of them; folders are checked only for links, since they can contain very many files. */
function checkEntry(folder: string, name: string): void {
  const path = join(folder, name);
  const stats = statsOf(path);
  // Drafts of other processes come and go.
  if (stats === undefined) return;
  const shown = `${STATE_FOLDER}/${name}`;
  const isPipe = stats.isFIFO() && PIPE_OF_COMMAND.test(name);
  if (!stats.isFile() && !stats.isDirectory() && !stats.isSocket() && !isPipe)
    throw unsafe(path, shown, { why: `it is ${kindOf(stats)}` });
  refuseForeign(path, shown, stats);
  if (stats.isDirectory()) {
    const link = entriesOf(path).find((entry) => entry.isSymbolicLink());
    if (link !== undefined)
      throw unsafe(join(path, link.name), `${shown}/${link.name}`, { why: 'it is a symbolic link' });
  }
}

/** Empty if the folder is gone or unreadable: the overlay's own folder has no permissions at all. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function refuseForeign(path: string, shown: string, { uid }: Stats): void {
  const own = process.geteuid?.();
  if (own === undefined || uid === own) return;
  throw unsafe(path, shown, {
    why: `it belongs to account ${uid}, and you are ${own}`,
    next: [`sudo chown -R ${own} ${quoteWord(path)}   if it is yours`],
  });
}

/** The kind of file in words. */
export function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSocket()) return 'a socket';
  return stats.isFile() ? 'a file' : 'a device';
}

/** @param shown Display name. */
export function unsafe(
  path: string,
  shown: string,
  { why, next = [] }: Readonly<{ why: string; next?: readonly string[] }>,
): UnavailableError {
  return new UnavailableError('state-unsafe', `Cannot use "${shown}": ${why}`, {
    why: ['it may have come with the repository; its contents are not read'],
    next: [...next, `ls -ld ${quoteWord(path)}`, `${takeAway(path)}   then Signalbox creates its own`],
  });
}

/** Inside the folder it would be found again under any name. */
function takeAway(path: string): string {
  const word = quoteWord(path);
  return basename(path) === STATE_FOLDER ? `mv ${word} ${quoteWord(`${path}.away`)}` : `rm -r ${word}`;
}
