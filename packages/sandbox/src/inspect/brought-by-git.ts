import { createHash } from 'node:crypto';
import type { FileTouch, Inspector, KnownCommits } from '@signalbox/core';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';
import { createHistory, type History } from './verified-objects.ts';

const MAX_LOG_BYTES = 4 * 1024 ** 2;
/** Upper bound on versions of a file to compare, newest first. */
const MAX_VERSIONS = 64;
/** Upper bound on files per command; others count as the command's own. */
const MAX_FILES = 200;
const COMMIT = /^[0-9a-f]{40,64}$/;
/** A row of `git log --raw --no-abbrev` about a regular file: modes before and after, then blobs. */
const ROW = /^:\d{6} 100(?:644|755) [0-9a-f]{40,64} ([0-9a-f]{40,64}) /;

/** The commits named by the repository's refs. */
export function knownCommits(options: RepositoryOptions): Promise<KnownCommits> {
  return inRepository('.', options, async ({ refs }) => ({
    head: refs.head.commit,
    branch: refs.head.branch === null ? null : `refs/heads/${refs.head.branch}`,
    refs: Object.fromEntries(await refs.below('refs/')),
  }));
}

/**
 * Lists paths whose new content is one that these commits or their ancestors have at that path. A deletion
 * counts if the commit checked out afterwards is one of them and lacks the file, and no uncommitted work would
 * be lost.
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
    const proof = { repository, starts, history: createHistory(starts, repository) };
    const found: string[] = [];
    for (const path of paths.slice(0, MAX_FILES)) {
      const hash = byPath.get(path)?.hash ?? null;
      const isBrought =
        hash === null
          ? await isGoneIn(path, after, proof)
          : (await isHeld(path, hash, proof)) || (await isHeld(inWorkTree(path, byPath), hash, proof));
      if (isBrought) found.push(path);
    }
    return found;
  });
}

/**
 * Lists files that git removed: the commit checked out now is one of these and lacks the file, and the removed
 * content is one that they or their ancestors have at that path.
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
    const proof = { repository, starts, history: createHistory(starts, repository) };
    const found: string[] = [];
    for (const { path, hash } of files.slice(0, MAX_FILES)) {
      if ((await isAbsentIn(path, now, proof)) && (await isHeld(path, hash, proof))) found.push(path);
    }
    return found;
  });
}

function startsOf({ head, refs }: KnownCommits): readonly string[] {
  return [...new Set([head, ...Object.values(refs)])].filter((commit) => commit !== null);
}

/** Maps a path to its work tree, if the command created one. */
function inWorkTree(path: string, byPath: ReadonlyMap<string, FileTouch>): string {
  const folders = path.split('/');
  const depth = folders.findIndex((_, at) => at > 0 && byPath.has(`${folders.slice(0, at).join('/')}/.git`));
  return depth < 0 ? path : folders.slice(depth).join('/');
}

/** The commit of HEAD after the changes; null if it is unknown. */
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

type Proof = {
  readonly repository: Pick<Repository, 'git'>;
  readonly starts: readonly string[];
  readonly history: History;
};

/** The committed versions of a path that hashes prove, newest first. */
async function versionsOf(path: string, { repository, starts, history }: Proof): Promise<readonly string[]> {
  // This only tells where to look; the result is verified.
  const log = [
    '-c',
    'core.commitGraph=false',
    'log',
    '--format=%H',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '-m',
  ];
  const range = ['--full-history', ...starts, '--', `:(top,literal)${path}`];
  const { text } = await repository.git([...log, ...range], MAX_LOG_BYTES);
  const commits = new Map<string, string>();
  let commit = '';
  for (const row of text.split('\n')) {
    const blob = ROW.exec(row)?.[1];
    if (blob === undefined) commit = COMMIT.test(row) ? row : commit;
    else if (!commits.has(blob)) commits.set(blob, commit);
  }
  const named = [...commits.values()].slice(0, MAX_VERSIONS);
  const reachable = await history.reachable(named);
  const held = await history.at(
    named.filter((id) => reachable.has(id)),
    path,
  );
  return held.flatMap((one) => (one.kind === 'file' ? [one.blob] : []));
}

async function isHeld(path: string, hash: string, proof: Proof): Promise<boolean> {
  const blobs = await proof.history.read(await versionsOf(path, proof));
  return [...blobs.values()].some(({ type, body }) => type === 'blob' && sha256(body) === hash);
}

/** Verified; unreadable or forged objects prove nothing. */
async function isAbsentIn(path: string, commit: string, { history }: Proof): Promise<boolean> {
  const [held] = await history.at([commit], path);
  return held?.kind === 'absent';
}

async function isGoneIn(path: string, after: string | null, proof: Proof): Promise<boolean> {
  if (after === null || !(await isAbsentIn(path, after, proof))) return false;
  const { text: id } = await proof.repository.git(['hash-object', '--no-filters', '--', path], MAX_LOG_BYTES);
  return (await versionsOf(path, proof)).includes(id.trim());
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
