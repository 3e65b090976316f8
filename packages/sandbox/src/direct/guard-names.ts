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
import { foldersAbove } from '../commit/disk/folders-above.ts';
import { keptCommits } from '../commit/kept/kept-commits.ts';
import { stampOf } from '../commit/disk/swap.ts';
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
  /** Absolute path with links resolved. */
  readonly workspace: string;
  readonly stateFolder: string;
  readonly path: string;
  readonly namedFiles?: ((changed?: readonly string[]) => NamedFiles) | undefined;
  /** Upper bound on scanned folders. Default 20,000. */
  readonly maxFolders?: number;
  /** Calls of other guards of this workspace that run meanwhile. Default none. */
  readonly runningCalls?: RunningCalls | undefined;
};

/** Call when the program is dead or paused. Returns what was reverted since, one line each. */
export type RevertNames = () => Promise<readonly string[]>;

export type NameGuard = {
  /** The current state, for a program that outlives a call. */
  readonly look: () => Promise<WatchedSnapshot>;
  /**
   * @param of.isFixed Whether existing files are mounted read-only: then a change to one is not by this
   * program.
   */
  readonly watch: (of: {
    readonly id: string;
    readonly agreed: readonly string[];
    readonly isFixed: boolean;
    /** Whether only git's own files are mounted read-only. Default false. */
    readonly movesTree?: boolean;
    /** Whether its line makes git fetch. Default false. */
    readonly fetches?: boolean;
    /** The state when the mounts were made. Default: the current one. */
    readonly mounted?: WatchedSnapshot | undefined;
    /** The state from which on changes count as this program's. Default: the current one. */
    readonly since?: WatchedSnapshot | undefined;
    /** Paths it can't read. Default: none. */
    readonly hidden?: Hidden | undefined;
  }) => Promise<RevertNames>;
};

/** Upper bound on reported unreadable paths. */
const MAX_UNSEEN = 5;
/** Larger files are not compared with git's content. */
const MAX_COMPARED_BYTES = 4 * 1024 ** 2;
/** Git's own files that are mounted read-only if they exist. */
const FIXED_OF_GIT = /^\.git\/(?:config|config\.worktree|info\/attributes|hooks(?:\/.*)?)$/;

/**
 * Guards files that the user's programs read as settings or run as code, for programs that write to the
 * workspace directly, without a commit to check. Compares them before and after, and reverts changes that were
 * not approved: new and changed files go to `quarantine` in the state folder, and the previous files are
 * restored.
 *
 * Content that git restores from commits older than the first command is kept, and so is everything our own
 * commits wrote.
 */
export function createNameGuard({
  workspace,
  stateFolder,
  path,
  namedFiles,
  maxFolders: mostFolders,
  runningCalls: running = new Set(),
}: GuardOptions): NameGuard {
  const snapshots = createWatchedSnapshots({ workspace, stateFolder, maxFolders: mostFolders, namedFiles });
  const repository = { workspace, path, scratch: join(stateFolder, 'previews') };
  let known: Promise<KnownCommits | null> | null = null;

  return {
    look: snapshots.first,
    async watch({ id, agreed, isFixed, movesTree = false, fetches = false, mounted, since, hidden }) {
      known ??= knownCommits(repository).catch(noRepository);
      const commits = await known;
      const { before: seen, named, links } = since ?? (await snapshots.first());
      const startedNs = BigInt(Date.now()) * 1_000_000n;
      const namesBefore = new Map(seen.names);
      const before = { ...seen, names: namesBefore };
      const run: DirectCall = {
        agreed: [...agreed, ...[...running].flatMap((other) => other.agreed)],
        namesBefore,
        fetches: fetches || [...running].some((other) => other.fetches),
      };
      for (const other of running) {
        other.agreed.push(...agreed);
        other.fetches ||= fetches;
      }
      running.add(run);

      return async () => {
        running.delete(run);
        const { after, named: all, existedToo } = await snapshots.last({ before, named, startedNs });
        for (const [at, one] of existedToo) namesBefore.set(at, one);
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
        const unseen = after.unseen.slice(0, MAX_UNSEEN);
        // If that can't be determined, nothing is allowed.
        const free =
          reasons.size === 0 ? [] : await allowed(changes, { reasons, before, commits }).catch(() => []);
        for (const at of free) reasons.delete(at);
        if (reasons.size === 0) return unseen;
        for (const other of running) copyBelow(reasons, namesBefore, other.namesBefore);
        return [
          ...takeBack({ workspace, stateFolder, id, changes, reasons, before: before.names }),
          ...unseen,
        ];
      };
    },
  };

  /** Content git restores from older commits, and files of the file tools, which check it themselves. */
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
    // The target of a link may change later.
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

/** Copied, so that the end of another call doesn't restore what this one reverts. */
function copyBelow(
  tops: { has(path: string): boolean },
  from: ReadonlyMap<string, WatchedName>,
  to: Map<string, WatchedName>,
): void {
  // Checked by the folders of each name, as names and top folders may both be very many.
  const isBelow = (path: string): boolean => [path, ...foldersAbove(path)].some((one) => tops.has(one));
  for (const path of to.keys()) if (isBelow(path)) to.delete(path);
  for (const [path, was] of from) if (isBelow(path)) to.set(path, was);
}

function noRepository(cause: unknown): null {
  if (cause instanceof UnavailableError) return null;
  // A repository that can't be read has restored nothing.
  if (cause instanceof Error) return null;
  throw cause;
}

type Removed = {
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly hash: string }[];
};

/** Removed and not replaced paths with their former files; excludes links and files too large to be kept. */
function removedOf(changes: readonly WriteSetChange[], { names }: WatchedNames): readonly Removed[] {
  const put = new Set(changes.flatMap(({ op, path }) => (op === 'put' ? [path] : [])));
  const gone = new Map<string, { files: Removed['files'][number][]; isKnown: boolean }>();
  for (const { op, path } of changes)
    if (op === 'remove' && !put.has(path)) gone.set(path, { files: [], isKnown: true });
  for (const [name, { existing, content }] of gone.size === 0 ? [] : names) {
    if (existing.kind === 'directory') continue;
    for (const top of [name, ...foldersAbove(name)]) {
      const removed = gone.get(top);
      if (removed === undefined) continue;
      if (existing.kind !== 'file' || content === null) removed.isKnown = false;
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
  if (change.op === 'make' || (change.op === 'attributes' && change.mode === change.existing.mode))
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
 * Whether a path is still covered by its mount. A mount stays with the folder it was made in; if that folder
 * was replaced, files in the new one are not mounted. Links and paths beyond the scanned folders are never
 * mounted.
 */
function isStillMounted(path: string, before: WatchedNames, after: WatchedNames): boolean {
  const was = before.names.get(path);
  if (was === undefined || was.existing.kind === 'link' || was.isShared || before.unseen.length > 0)
    return false;
  const folder = dirname(path) === '.' ? '' : dirname(path);
  const [old, now] = [before.folders.get(folder), after.folders.get(folder)];
  return now !== undefined && now.inode === old?.inode && now.bornNs === old.bornNs;
}

/** Whether the mounted file is still the one at that path: a mount doesn't cover a file that replaces it. */
function isSameAs(mounted: WatchedNames | undefined, path: string, now: WatchedNames): boolean {
  if (mounted === undefined) return true;
  const [was, is] = [mounted.names.get(path), now.names.get(path)];
  const isSameFile = was?.existing.ino === is?.existing.ino && was?.bornNs === is?.bornNs;
  return isStillMounted(path, mounted, now) && isSameFile;
}

function touchOf(workspace: string, { op, path }: WriteSetChange): readonly FileTouch[] {
  if (op === 'remove') return [{ path, kind: 'deleted', hash: null }];
  if (op !== 'put') return [];
  // Larger files are not compared with commits.
  const bytes = bytesAt(join(workspace, path), MAX_COMPARED_BYTES);
  return [{ path, kind: 'created', hash: bytes === null ? null : ContentHash.parse(sha256(bytes)) }];
}
