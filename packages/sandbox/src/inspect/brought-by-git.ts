import { createHash } from 'node:crypto';
import type { FileTouch, Inspector, KnownCommits } from '@signalbox/core';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';

const MAX_LOG_BYTES = 4 * 1024 ** 2;
const MAX_CONTENT_BYTES = 4 * 1024 ** 2;
/** Versions of one file that are compared, newest first. */
const MAX_VERSIONS = 64;
/** Files of one command that are looked at; the others count as its own. */
const MAX_FILES = 200;
/** A row of `git log --raw --no-abbrev` about a regular file: modes before and after, then blobs. */
const ROW = /^:\d{6} 100(?:644|755) [0-9a-f]{40,64} ([0-9a-f]{40,64}) /;

/** The commits that the refs of the workspace's repository name now. */
export function knownCommits(options: RepositoryOptions): Promise<KnownCommits> {
  return inRepository('.', options, async ({ refs }) => ({
    head: refs.head.commit,
    branch: refs.head.branch === null ? null : `refs/heads/${refs.head.branch}`,
    refs: Object.fromEntries(await refs.below('refs/')),
  }));
}

/**
 * The paths that git brings to what one of these commits, or one before it, holds there: content by content. One that
 * is deleted counts where the commit that is checked out afterwards is one of them and has no such file, and what
 * stands there is no work of anybody that would be lost.
 */
export async function broughtByGit(
  { known, changes, paths }: Parameters<Inspector['broughtByGit']>[0],
  options: RepositoryOptions,
): Promise<readonly string[]> {
  const starts = startsOf(known);
  if (starts.length === 0) return [];
  const byPath = new Map(changes.map((change) => [change.path, change]));
  return inRepository('.', options, async (repository) => {
    const after = headAfter(known, byPath);
    const found: string[] = [];
    for (const path of paths.slice(0, MAX_FILES)) {
      const hash = byPath.get(path)?.hash ?? null;
      const isBrought =
        hash === null
          ? await isGoneIn(path, after, starts, repository)
          : (await isHeld(path, hash, starts, repository)) ||
            (await isHeld(inWorkTree(path, byPath), hash, starts, repository));
      if (isBrought) found.push(path);
    }
    return found;
  });
}

/**
 * The files that git took away: the commit that is checked out now is one of these and has no such file, and what stood there
 * is content that one of them, or one before it, holds at that path.
 */
export async function takenByGit(
  {
    known,
    files,
  }: {
    readonly known: KnownCommits;
    readonly files: readonly { readonly path: string; readonly hash: string }[];
  },
  options: RepositoryOptions,
): Promise<readonly string[]> {
  const starts = startsOf(known);
  if (files.length === 0) return [];
  return inRepository('.', options, async (repository) => {
    const now = repository.refs.head.commit;
    if (now === null || !starts.includes(now)) return [];
    const found: string[] = [];
    for (const { path, hash } of files.slice(0, MAX_FILES)) {
      const { text: stands } = await repository.git(
        ['ls-tree', now, '--', `:(top,literal)${path}`],
        MAX_LOG_BYTES,
      );
      if (stands === '' && (await isHeld(path, hash, starts, repository))) found.push(path);
    }
    return found;
  });
}

function startsOf({ head, refs }: KnownCommits): readonly string[] {
  return [...new Set([head, ...Object.values(refs)])].filter((commit) => commit !== null);
}

/** In a work tree that the command made, the path is that within it. */
function inWorkTree(path: string, byPath: ReadonlyMap<string, FileTouch>): string {
  const folders = path.split('/');
  const depth = folders.findIndex((_, at) => at > 0 && byPath.has(`${folders.slice(0, at).join('/')}/.git`));
  return depth < 0 ? path : folders.slice(depth).join('/');
}

/** The commit that HEAD will name, by what is put; null where that is none of the known. */
function headAfter(known: KnownCommits, byPath: ReadonlyMap<string, FileTouch>): string | null {
  const head = byPath.get('.git/HEAD');
  const named = head === undefined ? known.branch : nameWith(head.hash, Object.keys(known.refs), refLine);
  if (named === undefined || named === null) {
    return head === undefined ? known.head : (nameWith(head.hash, Object.values(known.refs), idLine) ?? null);
  }
  const ref = byPath.get(`.git/${named}`);
  if (ref === undefined) return known.refs[named] ?? null;
  return nameWith(ref.hash, Object.values(known.refs), idLine) ?? null;
}

const refLine = (name: string): string => `ref: ${name}\n`;
const idLine = (id: string): string => `${id}\n`;

function nameWith(
  hash: string | null,
  names: readonly string[],
  lineOf: (name: string) => string,
): string | undefined {
  return names.find((name) => sha256(lineOf(name)) === hash);
}

type Git = Pick<Repository, 'git'>;

/** Blobs that stood at that path, newest first. */
async function versionsOf(path: string, starts: readonly string[], { git }: Git): Promise<readonly string[]> {
  // A commit graph may be forged; what commits say themselves goes by their hashes.
  const log = [
    '-c',
    'core.commitGraph=false',
    'log',
    '--format=',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '-m',
  ];
  const range = ['--full-history', ...starts, '--', `:(top,literal)${path}`];
  const { text } = await git([...log, ...range], MAX_LOG_BYTES);
  return [...new Set(text.split('\n').flatMap((row) => ROW.exec(row)?.[1] ?? []))];
}

async function isHeld(
  path: string,
  hash: string,
  starts: readonly string[],
  repository: Git,
): Promise<boolean> {
  const versions = await versionsOf(path, starts, repository);
  for (const id of versions.slice(0, MAX_VERSIONS)) {
    const { text, isCut } = await repository.git(['cat-file', 'blob', id], MAX_CONTENT_BYTES);
    if (!isCut && sha256(text) === hash) return true;
  }
  return false;
}

async function isGoneIn(
  path: string,
  after: string | null,
  starts: readonly string[],
  repository: Git,
): Promise<boolean> {
  if (after === null) return false;
  const { git } = repository;
  const { text: stands } = await git(['ls-tree', after, '--', `:(top,literal)${path}`], MAX_LOG_BYTES);
  if (stands !== '') return false;
  const { text: id } = await git(['hash-object', '--no-filters', '--', path], MAX_LOG_BYTES);
  return (await versionsOf(path, starts, repository)).includes(id.trim());
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
