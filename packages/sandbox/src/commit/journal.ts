import { closeSync, existsSync, fsync, openSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../files/file-failure.ts';
import { toJsonInTurns } from './json-in-turns.ts';

/**
 * What tells a version of a file from any other: `INODE MTIME BYTES`; of a directory `INODE`. Not its time of
 * change, since keeping an original links it and so changes that.
 */
export type Stamp = string;
/** What tells a version by what is in it, whatever its inode and time: `KIND MODE BYTES SHA256`. */
export type Content = string;
/** The time is in nanoseconds; null leaves it as it is. */
export type Attributes = { readonly mode: number; readonly mtimeNs: string | null };

/** One step of a swap, which can be done and taken back. `index` names its files in the commit's folder. */
export type Entry =
  /** What stood there is moved to `originals/INDEX`. */
  | { readonly op: 'remove'; readonly path: string; readonly index: number; readonly before: Stamp }
  | { readonly op: 'make'; readonly path: string }
  /** `stage/INDEX`, of that inode, takes the name; what stood there is kept as `originals/INDEX`. */
  | {
      readonly op: 'put';
      readonly path: string;
      readonly index: number;
      readonly ino: string;
      readonly before: Stamp | null;
    }
  | {
      readonly op: 'attributes';
      readonly path: string;
      readonly after: Attributes;
      /** Null of what this commit itself has made. */
      readonly before: (Attributes & { readonly stamp: Stamp }) | null;
    };

export type Journal = {
  readonly commandId: string;
  readonly entries: readonly Entry[];
  /** What stands at each path since, when the commit is done: another stamp means that somebody changed it. */
  readonly left?: Readonly<Record<string, Stamp | null>>;
  /** Of what it has put, where it is kept: what was put back by hand just so is what it left. */
  readonly contents?: Readonly<Record<string, Content>>;
  /** Of an undo: the stamps that the versions had which it puts back. */
  readonly restored?: Readonly<Record<string, Stamp>>;
};

/** The workspace that a commit changes, and the folder of what it needs. */
export type CommitLocation = { readonly workspace: string; readonly folder: string };

/**
 * The state of a commit is which of these names its journal has:
 *
 *   (none) staging ──▶ `swapping` ──▶ `done`
 *
 * A commit found `swapping` was cut off: it is taken back. It gets its next name by a rename, so that there is one.
 */
export type JournalName = 'swapping' | 'done';

/**
 * Null when there is none, or when it never came onto the disk whole: then nothing of it was begun. So it is for one that
 * names what is no path of a workspace: none of ours does, and a repository can bring one.
 */
export async function readJournal(folder: string, name: JournalName): Promise<Journal | null> {
  const journal = (await read(join(folder, `${name}.json`))) as Journal | null;
  if (journal === null || !isOurs(journal)) return null;
  if (name === 'swapping') return journal;
  const kept = (await read(join(folder, LEFT))) as Left | null;
  return kept === null ? null : { ...journal, ...kept };
}

/** Is on the disk when it settles. */
export async function beginJournal(folder: string, journal: Journal): Promise<void> {
  const text = await toJsonInTurns(journal);
  const file = openSync(join(folder, 'swapping.json'), 'wx', 0o600);
  try {
    writeFileSync(file, text);
    await untilOnDisk(file);
  } finally {
    closeSync(file);
  }
}

const untilOnDisk = promisify(fsync);

type Left = Required<Pick<Journal, 'left'>> & Pick<Journal, 'contents'>;

/** In one step. What it left is for `undo` alone: should a power cut take that, the commit can't be undone. */
export async function endJournal(folder: string, left: Left): Promise<void> {
  writeFileSync(join(folder, LEFT), await toJsonInTurns(left), { mode: 0o600 });
  renameSync(join(folder, 'swapping.json'), join(folder, 'done.json'));
}

/** For a commit that can't come to its end: it is one that was cut off again. */
export function reopenJournal(folder: string): void {
  if (existsSync(join(folder, 'done.json')))
    renameSync(join(folder, 'done.json'), join(folder, 'swapping.json'));
}

function isOurs({ entries }: Journal): boolean {
  return (
    Array.isArray(entries) &&
    entries.every(
      (entry) =>
        typeof entry.path === 'string' &&
        entry.path.split('/').every((name: string) => !['', '.', '..'].includes(name)) &&
        (!('index' in entry) || Number.isSafeInteger(entry.index)),
    )
  );
}

const LEFT = 'left.json';

async function read(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof SyntaxError || codeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
}
