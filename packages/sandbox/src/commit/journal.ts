import { closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from './host-folders.ts';

/**
 * What tells a version of a file from any other: `INODE MTIME BYTES`; of a directory `INODE`. Not its time of
 * change, since keeping an original links it and so changes that.
 */
export type Stamp = string;
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
  readonly workspace: string;
  readonly entries: readonly Entry[];
  /** What stands at each path since, when the commit is done: another stamp means that somebody changed it. */
  readonly left?: Readonly<Record<string, Stamp | null>>;
  /** Of an undo: the stamps that the versions had which it puts back. */
  readonly restored?: Readonly<Record<string, Stamp>>;
};

/**
 * The state of a commit is which of these names its journal has:
 *
 *   (none) staging ──▶ `swapping` ──▶ `done`
 *
 * A commit found `swapping` was cut off: it is taken back.
 */
export type JournalName = 'swapping' | 'done';

export function readJournal(folder: string, name: JournalName): Journal | null {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Journal;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  }
}

/** In one step: whoever finds the name finds the whole. */
export function writeJournal(folder: string, name: JournalName, journal: Journal): void {
  const temporary = join(folder, 'journal.tmp');
  const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
  try {
    writeFileSync(file, JSON.stringify(journal));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, join(folder, `${name}.json`));
  syncFolder(folder);
}
