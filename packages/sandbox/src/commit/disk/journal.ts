import { closeSync, existsSync, fsync, openSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../../files/file-failure.ts';
import { flatMapInTurns } from '../../turns.ts';

/**
 * Identifies a version of a file: `INODE MTIME BYTES`, or `INODE` for a directory. Excludes ctime, which
 * keeping an original by a hard link changes.
 */
export type Stamp = string;
/** Identifies a version by its content, whatever its inode and time: `KIND MODE BYTES SHA256`. */
export type Content = string;
/** The time is in nanoseconds; null leaves it unchanged. */
export type Attributes = { readonly mode: number; readonly mtimeNs: string | null };

/** One step of a swap, which can be applied and reverted. `index` names its files in the commit's folder. */
export type Entry =
  /** The existing file is moved to `originals/INDEX`. */
  | { readonly op: 'remove'; readonly path: string; readonly index: number; readonly before: Stamp }
  | { readonly op: 'make'; readonly path: string }
  /** `stage/INDEX`, with that inode, takes the name; the existing file is kept as `originals/INDEX`. */
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
      /** Null if this commit created it. */
      readonly before: (Attributes & { readonly stamp: Stamp }) | null;
    };

export type Journal = {
  readonly commandId: string;
  readonly entries: readonly Entry[];
  /** The stamp at each path after the commit. A different stamp means it was changed since. */
  readonly left?: Readonly<Record<string, Stamp | null>>;
  /** Contents of the files it wrote, where known. A file restored by hand to this content counts as unchanged. */
  readonly contents?: Readonly<Record<string, Content>>;
  /** For an undo: the stamps of the restored versions. */
  readonly restored?: Readonly<Record<string, Stamp>>;
};

/** The workspace a commit changes, and the folder of its own files. */
export type CommitLocation = { readonly workspace: string; readonly folder: string };

/**
 * The state of a commit is which of these names its journal has:
 *
 *   (none) staging ──▶ `swapping` ──▶ `done`
 *
 * A commit found `swapping` was interrupted and is rolled back. The name changes by a rename, so there is
 * always exactly one.
 */
export type JournalName = 'swapping' | 'done';

/**
 * Null when there is no journal, or it is incomplete on disk: then the swap has not begun. Also null for one
 * with a path outside the workspace: ours have none, but a repository can contain a forged journal.
 */
export async function readJournal(folder: string, name: JournalName): Promise<Journal | null> {
  const journal = (await read(join(folder, `${name}.json`))) as Journal | null;
  if (journal === null || !isOurs(journal)) return null;
  if (name === 'swapping') return journal;
  const kept = (await read(join(folder, LEFT))) as Left | null;
  return kept === null ? null : { ...journal, ...kept };
}

/** Resolves when the journal is on disk. */
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

/**
 * Marks the commit done, atomically. What it left is only needed for `undo`: if a power cut destroys that, the
 * commit can't be undone.
 */
export async function endJournal(folder: string, left: Left): Promise<void> {
  writeFileSync(join(folder, LEFT), await toJsonInTurns(left), { mode: 0o600 });
  renameSync(join(folder, 'swapping.json'), join(folder, 'done.json'));
}

/** For a commit that can't be completed: it counts as interrupted again. */
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

/** Serialises an object with long lists and maps, one member per line, yielding to the event loop. */
async function toJsonInTurns(document: Readonly<Record<string, unknown>>): Promise<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(document)) {
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${await toText(value)}`);
  }
  return `{${members.join(',\n')}}`;
}

async function toText(value: unknown): Promise<string> {
  if (Array.isArray(value)) {
    const items = await flatMapInTurns(value as readonly unknown[], (item) => [JSON.stringify(item)]);
    return `[\n${items.join(',\n')}\n]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = await flatMapInTurns(Object.entries(value), ([name, member]) => [
    `${JSON.stringify(name)}:${JSON.stringify(member)}`,
  ]);
  return `{\n${members.join(',\n')}\n}`;
}
