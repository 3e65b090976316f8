import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  ContentHash,
  type FileTouch,
  isInPackages,
  type KnownCommits,
  type NamedFiles,
  programFileAt,
  programFilesBelow,
  UnavailableError,
} from '@signalbox/core';
import { commitsOf } from '../commit/commit.ts';
import { foldersAbove } from '../commit/folders-above.ts';
import { keptCommits } from '../commit/kept-commits.ts';
import { stampOf } from '../commit/swap.ts';
import { bytesAt } from '../git/bytes-at.ts';
import type { Hidden } from '../git/hidden-from-git.ts';
import { judgeGitChanges } from '../git/judge-git-changes.ts';
import { broughtByGit, knownCommits, takenByGit } from '../inspect/brought-by-git.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { changesSince } from './changes-since.ts';
import { isAgreed } from './is-agreed.ts';
import { type LinkTargets, linkTo } from './link-targets.ts';
import { createWatchedSnapshots, type WatchedSnapshot } from './watched-snapshot.ts';
import type { DirectCall, RunningCalls } from './running-calls.ts';
import { takeBack } from './take-back.ts';
import type { WatchedName, WatchedNames } from './watched-names.ts';

export type GuardOptions = {
  /** Absolute and real. */
  readonly workspace: string;
  readonly stateFolder: string;
  readonly path: string;
  readonly namedFiles?: ((changed?: readonly string[]) => NamedFiles) | undefined;
  /** Folders that are looked at. Default 20,000. */
  readonly mostFolders?: number;
  /** Calls of another guard of this workspace that run meanwhile. Default none. */
  readonly runningCalls?: RunningCalls | undefined;
};

/** Called when the program is dead, or waits: what was taken back since, a line each. */
export type RevertNames = () => Promise<readonly string[]>;

export type NameGuard = {
  /** What stands now: for a program that lives longer than one call. */
  readonly look: () => Promise<WatchedSnapshot>;
  /**
   * @param of.isFixed Whether what stands is mounted read-only: while the mount is there, who changes it is another.
   */
  readonly watch: (of: {
    readonly id: string;
    readonly agreed: readonly string[];
    readonly isFixed: boolean;
    /** Of what stands, git's own files alone are mounted. Default false. */
    readonly movesTree?: boolean;
    /** Its line has git fetch. Default false. */
    readonly fetches?: boolean;
    /** What stood when those mounts were made. Default: what stands now. */
    readonly mounted?: WatchedSnapshot | undefined;
    /** From when on changes are of this program. Default: now. */
    readonly since?: WatchedSnapshot | undefined;
    /** What it can't read. Default: it can read all. */
    readonly hidden?: Hidden | undefined;
  }) => Promise<RevertNames>;
};

/** Sentences about what can't be looked at, in one answer. */
const MOST_UNSEEN = 5;
/** Of larger files git's content is not looked up. */
const MAX_COMPARED_BYTES = 4 * 1024 ** 2;
/** Of git's own files, what is mounted read-only where it stands. */
const FIXED_OF_GIT = /^\.git\/(?:config|config\.worktree|info\/attributes|hooks(?:\/.*)?)$/;

/**
 * For programs that write to the workspace itself, where nobody judges what is put: compares before and after what programs
 * of the person read as settings or run as code, and takes back what nobody agreed to. What is new or changed goes to
 * `quarantine` in the state folder, and what stood there is put back.
 *
 * What git brings to what commits held before the first command stays, and what a commit of ours put.
 */
export function createNameGuard({
  workspace,
  stateFolder,
  path,
  namedFiles,
  mostFolders,
  runningCalls: running = new Set(),
}: GuardOptions): NameGuard {
  const looks = createWatchedSnapshots({ workspace, stateFolder, mostFolders, namedFiles });
  const repository = { workspace, path, scratch: join(stateFolder, 'previews') };
  let known: Promise<KnownCommits | null> | null = null;

  return {
    look: looks.first,
    async watch({ id, agreed, isFixed, movesTree = false, fetches = false, mounted, since, hidden }) {
      known ??= knownCommits(repository).catch(noRepository);
      const commits = await known;
      const { before: seen, named, links } = since ?? (await looks.first());
      const startedNs = BigInt(Date.now()) * 1_000_000n;
      const stood = new Map(seen.names);
      const before = { ...seen, names: stood };
      const run: DirectCall = {
        agreed: [...agreed, ...[...running].flatMap((other) => other.agreed)],
        stood,
        fetches: fetches || [...running].some((other) => other.fetches),
      };
      for (const other of running) {
        other.agreed.push(...agreed);
        other.fetches ||= fetches;
      }
      running.add(run);

      return async () => {
        running.delete(run);
        const { after, named: all, stoodToo } = await looks.last({ before, named, startedNs });
        for (const [at, one] of stoodToo) stood.set(at, one);
        const changes = changesSince(workspace, before, after);
        const judged = judgeGitChanges(workspace, changes, {
          fetches: run.fetches,
          before: {
            has: (at) => before.names.has(at),
            index: (at) => before.names.get(at)?.content ?? null,
          },
          ...(hidden === undefined ? {} : { hidden }),
        });
        const reasons = new Map<string, string>();
        for (const change of changes) {
          const { path: at } = change;
          const why = judged.refused.get(at) ?? judged.asks.get(at) ?? whyProgram(change, all, links);
          const isMounted = isStillMounted(at, before, after) && isSameAs(mounted?.before, at, before);
          const isOfGit = FIXED_OF_GIT.test(at);
          const isOthers = isFixed && isMounted && (isOfGit || (!movesTree && isReadOnly(at, named)));
          const isNamed = [at, linkTo(at, links) ?? at].some((one) => isAgreed(one, run.agreed, named));
          if (why !== null && !isOthers && !isNamed) reasons.set(at, why);
        }
        const unseen = after.unseen.slice(0, MOST_UNSEEN);
        // Where that can't be told, nothing is.
        const free =
          reasons.size === 0 ? [] : await allowed(changes, { reasons, before, commits }).catch(() => []);
        for (const at of free) reasons.delete(at);
        if (reasons.size === 0) return unseen;
        for (const other of running) copyBelow(reasons, stood, other.stood);
        return [
          ...takeBack({ workspace, stateFolder, id, changes, reasons, before: before.names }),
          ...unseen,
        ];
      };
    },
  };

  /** What git brings from commits of before, and what the file tools put, which judge it themselves. */
  async function allowed(
    changes: readonly WriteSetChange[],
    of: {
      readonly reasons: ReadonlyMap<string, string>;
      readonly before: WatchedNames;
      readonly commits: KnownCommits | null;
    },
  ): Promise<readonly string[]> {
    const { reasons, before, commits } = of;
    const kept = await keptCommits(commitsOf(stateFolder));
    const own = [...reasons.keys()].filter((at) => {
      const stamp = stampOf(join(workspace, at));
      return kept.some(({ journal }) => stamp !== null && journal.left?.[at] === stamp);
    });
    // What a link leads to may become another thing later.
    const links = new Set(
      changes.flatMap((one) => (one.op === 'put' && one.kind === 'link' ? one.path : [])),
    );
    const paths = [...reasons.keys()].filter((at) => !links.has(at) && !at.split('/').includes('.git'));
    const puts = new Set(changes.flatMap(({ op, path: at }) => (op === 'put' ? [at] : [])));
    const put = paths.filter((at) => puts.has(at));
    const asked = new Set(paths);
    const gone = removedOf(changes, before).filter(({ path: at }) => asked.has(at));
    if (commits === null) return own;
    const touches = changes.flatMap((change) => touchOf(workspace, change));
    const brought =
      put.length === 0
        ? []
        : await broughtByGit({ known: commits, changes: touches, paths: put }, repository).catch(() => []);
    const files = gone.flatMap((one) => one.files);
    const taken = new Set(await takenByGit({ known: commits, files }, repository).catch(() => []));
    const isTaken = (one: Removed): boolean => one.files.every(({ path: at }) => taken.has(at));
    return [...own, ...brought, ...gone.filter(isTaken).map(({ path: at }) => at)];
  }
}

/** So that the end of another call does not put back what this one takes back. */
function copyBelow(
  tops: { has(path: string): boolean },
  from: ReadonlyMap<string, WatchedName>,
  to: Map<string, WatchedName>,
): void {
  // By the folders of each name: names and tops may both be very many.
  const isBelow = (path: string): boolean => [path, ...foldersAbove(path)].some((one) => tops.has(one));
  for (const path of to.keys()) if (isBelow(path)) to.delete(path);
  for (const [path, was] of from) if (isBelow(path)) to.set(path, was);
}

function noRepository(cause: unknown): null {
  if (cause instanceof UnavailableError) return null;
  // A repository that can't be read has brought nothing.
  if (cause instanceof Error) return null;
  throw cause;
}

type Removed = {
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly hash: string }[];
};

/** What is gone and not replaced, with the files that stood there; not where one was a link, or too large to be kept. */
function removedOf(changes: readonly WriteSetChange[], { names }: WatchedNames): readonly Removed[] {
  const put = new Set(changes.flatMap(({ op, path }) => (op === 'put' ? [path] : [])));
  const gone = new Map<string, { files: Removed['files'][number][]; isKnown: boolean }>();
  for (const { op, path } of changes)
    if (op === 'remove' && !put.has(path)) gone.set(path, { files: [], isKnown: true });
  for (const [name, { standing, content }] of gone.size === 0 ? [] : names) {
    if (standing.kind === 'directory') continue;
    for (const top of [name, ...foldersAbove(name)]) {
      const removed = gone.get(top);
      if (removed === undefined) continue;
      if (standing.kind !== 'file' || content === null) removed.isKnown = false;
      else removed.files.push({ path: name, hash: sha256(content) });
    }
  }
  return [...gone].flatMap(([path, { files, isKnown }]) =>
    isKnown && files.length > 0 ? [{ path, files }] : [],
  );
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function whyProgram(change: WriteSetChange, named: NamedFiles, links: LinkTargets): string | null {
  if (change.op === 'make' || (change.op === 'attributes' && change.mode === change.standing.mode))
    return null;
  const isTree = change.op === 'put' ? change.kind === 'link' : change.op === 'remove';
  const program = isTree ? programFilesBelow(change.path, named) : programFileAt(change.path, named);
  if (program === undefined) return null;
  const link = linkTo(change.path, links);
  return link === undefined ? `read by ${program.readBy}` : `read through the link ${link}`;
}

function isReadOnly(path: string, named: NamedFiles): boolean {
  if (isInPackages(path)) return false;
  return programFileAt(path, named) !== undefined;
}

/**
 * A mount stays with the folder that holds the name: where that is another one now, what stands in it was never mounted.
 * Links are not mounted themselves, nor is what was beyond the folders that are looked at.
 */
function isStillMounted(path: string, before: WatchedNames, after: WatchedNames): boolean {
  const was = before.names.get(path);
  if (was === undefined || was.standing.kind === 'link' || was.isShared || before.unseen.length > 0)
    return false;
  const folder = dirname(path) === '.' ? '' : dirname(path);
  const [old, now] = [before.folders.get(folder), after.folders.get(folder)];
  return now !== undefined && now.inode === old?.inode && now.bornNs === old.bornNs;
}

/** Whether what was mounted is still what stands at that path: a mount does not follow another file to its name. */
function isSameAs(mounted: WatchedNames | undefined, path: string, now: WatchedNames): boolean {
  if (mounted === undefined) return true;
  const [was, is] = [mounted.names.get(path), now.names.get(path)];
  const isSameFile = was?.standing.ino === is?.standing.ino && was?.bornNs === is?.bornNs;
  return isStillMounted(path, mounted, now) && isSameFile;
}

function touchOf(workspace: string, { op, path }: WriteSetChange): readonly FileTouch[] {
  if (op === 'remove') return [{ path, kind: 'deleted', hash: null }];
  if (op !== 'put') return [];
  // Larger ones are not compared with what commits hold.
  const bytes = bytesAt(join(workspace, path), MAX_COMPARED_BYTES);
  return [{ path, kind: 'created', hash: bytes === null ? null : ContentHash.parse(sha256(bytes)) }];
}
