import { createHash } from 'node:crypto';
import { type ContentHash, UnavailableError } from '@signalbox/core';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';

/** What a command left at a path. */
export type LeftAtPath = Readonly<{
  path: string;
  /** Null: it removed the file. */
  hash: ContentHash | null;
  /** Epoch ms. */
  endedAt: number;
}>;

/** More are a build, and git would not take their names. */
const MAX_PATHS = 1000;
const MAX_LIST_BYTES = 1024 ** 2;
const MAX_CONTENT_BYTES = 16 * 1024 ** 2;

/**
 * Until when (epoch ms) the changes of each path are in git's HEAD, whoever committed them: all of a file that stands as
 * HEAD has it; else up to the change that left what HEAD has. A removal counts when a commit since has removed the file
 * too. Paths of which nothing is known are left out; all of them where there is no repository or it can't be read in time.
 */
export async function committedInGit(
  changes: readonly LeftAtPath[],
  options: RepositoryOptions,
): Promise<ReadonlyMap<string, number>> {
  const paths = [...new Set(changes.map(({ path }) => path))].slice(0, MAX_PATHS);
  if (paths.length === 0) return new Map();
  return inRepository('.', options, async ({ git }) => {
    const read = (...args: readonly string[]) => listed(git, [...args, '--', ...paths]);
    const edited = new Set(
      await read(...'diff --no-ext-diff --no-textconv --no-renames --name-only -z HEAD'.split(' ')),
    );
    const blobs = new Map((await read('ls-tree', '-z', 'HEAD')).flatMap(blobOf));
    const hashes = await hashesOf(
      [...blobs].filter(([path]) => edited.has(path)),
      git,
    );
    const removedAt = await removals(
      changes.filter(({ path, hash }) => hash === null && !blobs.has(path)),
      read,
    );
    return new Map(
      paths.flatMap((path): [string, number][] => {
        if (blobs.has(path) && !edited.has(path)) return [[path, Number.POSITIVE_INFINITY]];
        const hash = hashes.get(path);
        const left = changes.filter((change) => change.path === path && change.hash === hash);
        const until = Math.max(removedAt.get(path) ?? 0, ...left.map(({ endedAt }) => endedAt));
        return until > 0 ? [[path, until]] : [];
      }),
    );
  }).catch(() => new Map());
}

async function listed(git: Repository['git'], args: readonly string[]): Promise<readonly string[]> {
  const { text, isCut } = await git(
    ['--literal-pathspecs', '-c', 'core.fsmonitor=false', ...args],
    MAX_LIST_BYTES,
  );
  // What is not listed would look unchanged.
  if (isCut) throw new UnavailableError('too-large', 'git lists too many files');
  return text.split('\0').filter((row) => row !== '');
}

/** `100644 blob 257cc5642cb1a054f08cc83f2d943e56fd3ebe99\ta.txt`. */
function blobOf(row: string): readonly [string, string][] {
  const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
  return id === undefined || path === undefined ? [] : [[path, id]];
}

/** Of the content of each; those that do not fit are left out. */
async function hashesOf(
  blobs: readonly (readonly [string, string])[],
  git: Repository['git'],
): Promise<ReadonlyMap<string, string>> {
  const input = blobs.map(([, id]) => `${id}\n`).join('');
  const { bytes } = await git(['cat-file', '--batch'], MAX_CONTENT_BYTES, input);
  const hashes = new Map<string, string>();
  let at = 0;
  for (const [path] of blobs) {
    const start = bytes.indexOf('\n', at) + 1;
    const size = Number(bytes.toString('latin1', at, start).trim().split(' ')[2]);
    at = start + size + 1;
    // Each content is followed by a newline of git's own.
    if (!(start > 0 && at <= bytes.length)) break;
    hashes.set(
      path,
      createHash('sha256')
        .update(bytes.subarray(start, at - 1))
        .digest('hex'),
    );
  }
  return hashes;
}

/** When a commit removed each of these, none of which HEAD has. */
async function removals(
  changes: readonly LeftAtPath[],
  read: (...args: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, number>> {
  if (changes.length === 0) return new Map();
  // Git knows seconds.
  const since = Math.floor(Math.min(...changes.map(({ endedAt }) => endedAt)) / 1000);
  const log =
    'log --no-show-signature --no-mailmap --no-notes --no-renames --diff-filter=D --name-only -z'.split(' ');
  const rows = await read(...log, '--format=%x01%ct', `--since=@${since} +0000`);
  const times = new Map<string, number>();
  let time = 0;
  for (const row of rows) {
    if (row.startsWith('\u0001')) {
      time = (Number(row.slice(1)) + 1) * 1000 - 1;
      continue;
    }
    const path = row.replace(/^\n/, '');
    // The newest comes first.
    if (!times.has(path)) times.set(path, time);
  }
  return times;
}
