import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ContentHash, UnavailableError } from '@signalbox/core';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';

/** What a command left at a path. */
export type PathLeft = Readonly<{
  path: string;
  /** Null if it removed the file. */
  hash: ContentHash | null;
  /** Epoch ms. */
  endedAt: number;
}>;

/** More is a build, and too many for git's arguments. */
const MAX_PATHS = 1000;
const MAX_LIST_BYTES = 1024 ** 2;
const MAX_CONTENT_BYTES = 16 * 1024 ** 2;
/** For all files together; files beyond it count as changed. */
const MAX_HASHED_BYTES = 512 * 1024 ** 2;
/** For a file whose lines may end in CR LF. */
const MAX_TEXT_BYTES = 4 * 1024 ** 2;

/**
 * The time (epoch ms) up to which each path's changes are in git's HEAD, whoever committed them: all changes if
 * the file equals HEAD; otherwise up to the change that left the version in HEAD. A removal counts once a later
 * commit removed the file too. Unknown paths are omitted. Null if there is no repository, or it can't be read
 * in time.
 *
 * Files are compared with HEAD by content. Git's own answer depends on its index and attributes, which can be
 * written to hide a change.
 */
export async function committedInGit(
  changes: readonly PathLeft[],
  options: RepositoryOptions,
): Promise<ReadonlyMap<string, number> | null> {
  const paths = [...new Set(changes.map(({ path }) => path))].slice(0, MAX_PATHS);
  if (paths.length === 0) return new Map();
  return inRepository('.', options, async ({ git }) => {
    const read = (...args: readonly string[]) => listed(git, [...args, '--', ...paths]);
    const blobs = new Map((await read('ls-tree', '-z', 'HEAD')).flatMap(blobOf));
    const edited = await editedOf(blobs, options.workspace);
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
  }).catch(() => null);
}

/** The files that differ from HEAD. */
async function editedOf(blobs: ReadonlyMap<string, Blob>, workspace: string): Promise<ReadonlySet<string>> {
  const edited = new Set<string>();
  let left = MAX_HASHED_BYTES;
  for (const [path, blob] of blobs) {
    const at = join(workspace, path);
    const stats = await lstat(at).catch(() => null);
    left -= stats?.size ?? 0;
    const isSame =
      stats !== null &&
      left >= 0 &&
      // Not through a link.
      (await realpath(dirname(at)).catch(() => null)) === dirname(at) &&
      (await isCommittedAs(at, blob, stats).catch(() => false));
    if (!isSame) edited.add(path);
  }
  return edited;
}

type Stats = Awaited<ReturnType<typeof lstat>>;

async function isCommittedAs(at: string, { mode, id }: Blob, stats: Stats): Promise<boolean> {
  const idOf = (content: Buffer | string): string =>
    gitId(id, Buffer.byteLength(content)).update(content).digest('hex');
  if (mode === '120000') return stats.isSymbolicLink() && idOf(await readlink(at)) === id;
  if (!stats.isFile() || (mode === '100755') !== ((Number(stats.mode) & 0o100) !== 0)) return false;
  await using file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { size } = await file.stat();
  if (size <= MAX_TEXT_BYTES) {
    const content = await file.readFile();
    // Git may be configured to check out CR LF.
    return idOf(content) === id || idOf(withoutReturns(content)) === id;
  }
  const hash = gitId(id, size);
  for await (const piece of file.createReadStream({ autoClose: false })) hash.update(piece as Buffer);
  return hash.digest('hex') === id;
}

function withoutReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** Starts a git object hash for content of that size, with the hash type of the other id. */
function gitId(like: string, size: number): ReturnType<typeof createHash> {
  return createHash(like.length === 40 ? 'sha1' : 'sha256').update(`blob ${size}\0`);
}

async function listed(git: Repository['git'], args: readonly string[]): Promise<readonly string[]> {
  const { text, isCut } = await git(
    ['--literal-pathspecs', '-c', 'core.fsmonitor=false', ...args],
    MAX_LIST_BYTES,
  );
  // Files not listed would look unchanged.
  if (isCut) throw new UnavailableError('too-large', 'git lists too many files');
  return text.split('\0').filter((row) => row !== '');
}

type Blob = Readonly<{ mode: string; id: string }>;

/** `100644 blob 257cc5642cb1a054f08cc83f2d943e56fd3ebe99\ta.txt`. */
function blobOf(row: string): readonly [string, Blob][] {
  const [, mode, id, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
  return mode === undefined || id === undefined || path === undefined ? [] : [[path, { mode, id }]];
}

/** Hashes of each content; those that don't fit are omitted. */
async function hashesOf(
  blobs: readonly (readonly [string, Blob])[],
  git: Repository['git'],
): Promise<ReadonlyMap<string, string>> {
  const input = blobs.map(([, { id }]) => `${id}\n`).join('');
  const { bytes } = await git(['cat-file', '--batch'], MAX_CONTENT_BYTES, { input });
  const hashes = new Map<string, string>();
  let at = 0;
  for (const [path] of blobs) {
    const start = bytes.indexOf('\n', at) + 1;
    const size = Number(bytes.toString('latin1', at, start).trim().split(' ')[2]);
    at = start + size + 1;
    // Git adds a newline after each content.
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

/** When a commit removed each of these paths, which HEAD lacks. */
async function removals(
  changes: readonly PathLeft[],
  read: (...args: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, number>> {
  if (changes.length === 0) return new Map();
  // Git has a resolution of seconds.
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
