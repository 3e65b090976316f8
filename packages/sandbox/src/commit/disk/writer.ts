import { closeSync, constants, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../files/file-failure.ts';
import { syncFolderNow } from './host-folders.ts';

/** A process that commits to a workspace, distinct from all others, past and future. */
export type CommitWriter = {
  /** Letters, digits, `_` and `-`: the folders of its commits are named after it. */
  readonly id: string;
  /** Lets others check whether it is alive; stored as JSON. Null when that is lost. */
  readonly identity: unknown;
  /** Whether a text contains a secret. Without it no copies of committed files are kept. */
  readonly holdsSecret?: (text: string) => boolean;
};

/**
 * The name of a commit's folder: `COMMAND.NUMBER.WRITER`, without a writer if only one process at a time
 * commits.
 */
export type CommitName = {
  readonly commandId: string;
  readonly number: number;
  readonly writerId: string | null;
};

export function toFolderName({ commandId, number, writerId }: CommitName): string {
  return writerId === null ? `${commandId}.${number}` : `${commandId}.${number}.${writerId}`;
}

/** Null if the folder isn't a commit. */
export function toCommitName(folderName: string): CommitName | null {
  const [, commandId, number, writerId] = /^([^.]+)\.(\d+)(?:\.([\w-]+))?$/.exec(folderName) ?? [];
  if (commandId === undefined) return null;
  return { commandId, number: Number(number), writerId: writerId ?? null };
}

/** Announces a writer to other processes. Call before its first commit, once per process. */
export function registerWriter(commits: string, { id, identity }: CommitWriter): void {
  const path = fileOf(commits, id);
  if (registered.has(path)) return;
  mkdirSync(writersOf(commits), { recursive: true, mode: 0o700 });
  const file = openSync(`${path}.tmp`, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
  try {
    writeFileSync(file, JSON.stringify(identity));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.tmp`, path);
  syncFolderNow(writersOf(commits));
  registered.add(path);
}

/** Registered by this process, by path. */
const registered = new Set<string>();

export function readWriter(commits: string, id: string): CommitWriter {
  try {
    return { id, identity: JSON.parse(readFileSync(fileOf(commits, id), 'utf8')) as unknown };
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT' && !(cause instanceof SyntaxError)) throw cause;
    return { id, identity: null };
  }
}

/** Ids of all registered writers. */
export function writerIds(commits: string): string[] {
  try {
    return readdirSync(writersOf(commits)).flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? []);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}

/** Removes a dead writer that has no commits to roll back. */
export function forgetWriter(commits: string, id: string): void {
  rmSync(fileOf(commits, id), { force: true });
}

function writersOf(commits: string): string {
  return join(commits, '..', 'writers');
}

function fileOf(commits: string, id: string): string {
  return join(writersOf(commits), `${id}.json`);
}
