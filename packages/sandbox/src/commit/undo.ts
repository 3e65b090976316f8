import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileTouch, UsageError } from '@signalbox/core';
import { codeOf } from '../file-failure.ts';
import { commitsOf, discardCommit, revertAll } from './commit.ts';
import { type HostFolders, isUnreachable, openHostFolders } from './host-folders.ts';
import { type Journal, readJournal, type Stamp, writeJournal } from './journal.ts';
import { stampOf } from './swap.ts';

export type UndoAnswer =
  | { readonly kind: 'undone'; readonly changes: readonly FileTouch[] }
  /** These paths are no longer what the command left: nothing was undone. */
  | { readonly kind: 'changed-since'; readonly paths: readonly string[] };

/**
 * Takes back what a command committed, when nobody has changed its files since. Cut off, it is finished by
 * `recoverCommits`.
 *
 * @throws {UsageError} `nothing-to-undo` when nothing is kept of that command.
 */
export function undoCommit(stateFolder: string, commandId: string): UndoAnswer {
  const done = commitsOfCommand(commitsOf(stateFolder), commandId);
  const [newest] = done;
  if (newest === undefined) {
    throw new UsageError('nothing-to-undo', `Cannot undo ${commandId}: nothing is kept of what it changed`);
  }
  const changes: FileTouch[] = [];
  for (const { folder, journal } of done) {
    const paths = changedSince(journal);
    // A later program of the same command was undone already, as far as nobody came between.
    if (paths.length > 0) return { kind: 'changed-since', paths };
    writeJournal(folder, 'undoing', journal);
    revertAll(journal, folder);
    discardCommit(folder);
    changes.push(...journal.entries.flatMap(touchOf));
  }
  return { kind: 'undone', changes };
}

/** Of all programs of a command, the last first. */
function commitsOfCommand(commits: string, commandId: string): { folder: string; journal: Journal }[] {
  const numbers = namesIn(commits).flatMap((name) => {
    const [id, number] = name.split('.');
    return id === commandId && number !== undefined ? [Number(number)] : [];
  });
  return numbers
    .toSorted((one, other) => other - one)
    .flatMap((number) => {
      const folder = join(commits, `${commandId}.${number}`);
      const journal = readJournal(folder, 'done');
      return journal === null ? [] : [{ folder, journal }];
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}

function changedSince({ workspace, left = {} }: Journal): string[] {
  const folders = openHostFolders(workspace);
  try {
    return Object.entries(left).flatMap(([path, stamp]) => (now(path, folders) === stamp ? [] : [path]));
  } finally {
    folders.close();
  }
}

function now(path: string, folders: HostFolders): Stamp | null {
  try {
    return stampOf(folders.at(path));
  } catch (cause) {
    if (isUnreachable(cause)) return null;
    throw cause;
  }
}

function touchOf(entry: Journal['entries'][number]): FileTouch[] {
  const { op, path } = entry;
  if (op === 'remove') return [{ path, kind: 'created', hash: null }];
  if (op !== 'put') return [];
  return [{ path, kind: entry.before === null ? 'deleted' : 'modified', hash: null }];
}
