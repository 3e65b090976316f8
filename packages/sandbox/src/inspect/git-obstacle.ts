import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type Inspector, isWithin } from '@signalbox/core';
import type { IsDenied } from '../denials/default-denials.ts';
import { mayExist } from '../may-exist.ts';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';
import { readSmall } from './read-refs.ts';

type GitPurpose = Parameters<Inspector['obstacle']>[0];
type GitObstacle = Awaited<ReturnType<Inspector['obstacle']>>;
type Options = RepositoryOptions & { readonly isDenied: IsDenied };

/** Compared with a commit, or with the empty tree before the first one. */
const STAGED = 'diff --cached --name-only --no-ext-diff --no-textconv --ignore-submodules=none'.split(' ');
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Operations in progress that let git commit with nothing staged. */
const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
/** Paths of git's machine-wide settings. */
const MACHINE_SETTINGS = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];
/** Settings that may define remotes elsewhere, or rewrite a name to an address. */
const OPEN_SETTINGS = /^(?:include|includeif|url)\.|^extensions\.worktreeconfig$/;

/** Why git would certainly fail; null when in doubt, and for files a command can't see. */
export async function gitObstacle(purpose: GitPurpose, options: Options): Promise<GitObstacle> {
  const { workspace, isDenied } = options;
  // Checked first: whether a hidden path exists is hidden too.
  if (isDenied(purpose.cwd, 'read')) return null;
  const folder = await realpath(join(workspace, purpose.cwd));
  if (!isWithin(folder, workspace) || isDenied(relative(workspace, folder) || '.', 'read')) return null;
  if (!(await isInRepository(folder))) return { kind: 'no-repository' };
  if (purpose.kind === 'use') return null;
  return inRepository(purpose.cwd, options, async (repository) => {
    if (purpose.kind === 'commit-staged') return noneStaged(repository);
    if (purpose.kind === 'stage') return noPath(purpose.paths, { folder, repository, options });
    if (purpose.kind === 'checkout') return nothingOfThatName(purpose.ref, { folder, repository, options });
    const found = await noRemote(purpose.remote, { folder, repository, options });
    if (found !== null || purpose.kind === 'fetch') return found;
    return noRef(purpose.refs, { repository, options });
  });
}

/** A file `.git`, a link or a common folder may lead to a repository that no command sees. */
async function keepsItsOwnSettings({ root, holds }: Repository, { workspace }: Options): Promise<boolean> {
  if (await holds('commondir')) return false;
  const tree = join(workspace, root);
  const at = join(tree, '.git');
  const isFolder = (await lstat(at)).isDirectory();
  const named = isFolder ? undefined : /^gitdir: (.+)$/.exec((await readSmall(at))?.trim() ?? '')?.[1];
  if (!isFolder && named === undefined) return false;
  const settings = join(named === undefined ? at : resolve(tree, named), 'config');
  return isWithin(await realpath(settings), workspace);
}

/** Includes a repository around the workspace. Bare ones count only if a line names them. */
async function isInRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await mayExist(join(at, '.git'))) return true;
    if (at === dirname(at)) return false;
  }
}

async function noneStaged({ refs, git, holds }: Repository): Promise<GitObstacle> {
  for (const name of UNDER_WAY) if (await holds(name)) return null;
  const { text } = await git([...STAGED, refs.head.commit ?? EMPTY_TREE, '--'], 1024);
  return text === '' ? { kind: 'nothing-staged' } : null;
}

async function noRemote(
  remote: string | null,
  {
    folder,
    repository,
    options,
  }: { readonly folder: string; readonly repository: Repository; readonly options: Options },
): Promise<GitObstacle> {
  const { settingNames, holds } = repository;
  if (!(await keepsItsOwnSettings(repository, options))) return null;
  const names = await settingNames();
  if (names.some((name) => OPEN_SETTINGS.test(name)) || (await machineNamesRemotes())) return null;
  const remotes = [...new Set(names.flatMap((name) => /^remote\.(.+)\.[a-z]+$/.exec(name)?.[1] ?? []))];
  // Very old remotes are files.
  for (const old of ['remotes', 'branches']) if (await holds(`${old}/${remote ?? 'origin'}`)) return null;
  if (remote === null) {
    const isNamed = names.some((name) =>
      /^(?:remote|branch\..+)\.(?:pushdefault|remote|pushremote)$/.test(name),
    );
    return remotes.length > 0 || isNamed ? null : { kind: 'no-remote', remote, remotes };
  }
  // Anything else may be an address or a path.
  if (!/^[A-Za-z0-9][\w-]*$/.test(remote) || remotes.includes(remote)) return null;
  // A group of remotes.
  if (names.includes(`remotes.${remote.toLowerCase()}`)) return null;
  for (const path of [remote, `${remote}.git`]) {
    const at = join(folder, path);
    if (await mayExistHere(at, options)) return null;
  }
  return { kind: 'no-remote', remote, remotes };
}

/** Whether a path may exist. True for a hidden path or one behind a link, whose existence is hidden. */
async function mayExistHere(at: string, { workspace, isDenied }: Options): Promise<boolean> {
  const path = relative(workspace, at);
  if (!isWithin(at, workspace) || isDenied(path, 'read')) return true;
  for (let above = dirname(at); above !== workspace && isWithin(above, workspace); above = dirname(above)) {
    const found = await lstat(above).catch(() => null);
    if (found?.isSymbolicLink() === true) return true;
  }
  return mayExist(at);
}

/** Where git looks a name up, in this order, before treating it as a commit. */
const REF_FOLDERS = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];
/** A branch or tag name that can't be a commit, in any case: not `HEAD~1`, `abc123`, `v1-2-gabc123`. */
const PLAIN_REF = /^(?![0-9a-fA-F]{4,}$)(?!.*-g[0-9a-fA-F]{4,}$)[A-Za-z][\w-]*(?:[./][\w-]+)*$/;
/** Refs of another work tree. */
const OF_WORK_TREE = /^(?:main-worktree|worktrees)\//;

async function noRef(
  written: readonly string[],
  { repository, options }: { readonly repository: Repository; readonly options: Options },
): Promise<GitObstacle> {
  const { refs, settingNames } = repository;
  const isElsewhere = (await settingNames()).some((name) => name === 'extensions.refstorage');
  // `tag v1` is one ref in two words.
  if (isElsewhere || written.includes('tag')) return null;
  if (!(await keepsItsOwnSettings(repository, options))) return null;
  for (const source of written.map((ref) => ref.replace(/^\+/, '').replace(/:.*$/s, ''))) {
    if (await mayBeRef(source, repository)) continue;
    const names = await Promise.all(['refs/heads/', 'refs/tags/'].map(shortNames(refs)));
    // Known once they have been read.
    if (!refs.isWhole) return null;
    return { kind: 'no-ref', ref: source, refs: names.flat() };
  }
  return null;
}

async function mayBeRef(name: string, { refs, holds }: Repository): Promise<boolean> {
  if (!PLAIN_REF.test(name) || OF_WORK_TREE.test(name)) return true;
  // `ORIG_HEAD`, `logs/HEAD`: not read, as a folder of git may be a link.
  const [first = ''] = name.split('/');
  if (first !== 'refs' && (await holds(first))) return true;
  const places = [...REF_FOLDERS.map((place) => `${place}${name}`), `refs/remotes/${name}/HEAD`];
  return (await Promise.all(places.map(refs.find))).some((commit) => commit !== undefined);
}

/** Settings that change the meaning of paths or where refs are stored. */
const OTHER_TREE = /^(?:include|includeif)\.|^core\.worktree$|^extensions\.(?:worktreeconfig|refstorage)$/;

/** Upper bound on missing paths, as each is looked up in the index. */
const MAX_PATHS = 20;

async function noPath(
  paths: readonly string[],
  {
    folder,
    repository: { git, settingNames },
    options,
  }: { readonly folder: string; readonly repository: Repository; readonly options: Options },
): Promise<GitObstacle> {
  if ((await settingNames()).some((setting) => OTHER_TREE.test(setting))) return null;
  let checked = 0;
  for (const path of paths) {
    const at = join(folder, path);
    if (await mayExistHere(at, options)) continue;
    checked += 1;
    if (checked > MAX_PATHS) return null;
    const { text } = await git(['--literal-pathspecs', 'ls-files', '--', path], 1024);
    if (text === '') return { kind: 'no-path', path };
  }
  return null;
}

/** Reports a name that is neither a ref, a remote's branch, nor a path that exists or existed. */
async function nothingOfThatName(
  name: string,
  {
    folder,
    repository,
    options,
  }: { readonly folder: string; readonly repository: Repository; readonly options: Options },
): Promise<GitObstacle> {
  const { refs, git, settingNames } = repository;
  if (!(await keepsItsOwnSettings(repository, options)) || (await mayBeRef(name, repository))) return null;
  if ((await settingNames()).some((setting) => OTHER_TREE.test(setting))) return null;
  const at = join(folder, name);
  if (await mayExistHere(at, options)) return null;
  const known = [...(await refs.below('refs/')).keys()];
  // `git checkout topic` creates a branch from a remote's, wherever that is stored.
  if (known.some((ref) => ref.endsWith(`/${name}`)) || !refs.isWhole || refs.isCut) return null;
  const { text } = await git(['ls-files', '--', `:(icase)${name}`], 1024);
  if (text !== '') return null;
  const short = known.flatMap((ref) => /^refs\/(?:heads|tags|remotes\/[^/]+)\/(.+)$/.exec(ref)?.[1] ?? []);
  return { kind: 'no-ref', ref: name, refs: [...new Set(short)].filter((ref) => ref !== 'HEAD') };
}

function shortNames({ below }: Repository['refs']): (prefix: string) => Promise<readonly string[]> {
  return async (prefix) => [...(await below(prefix)).keys()].map((name) => name.slice(prefix.length));
}

async function machineNamesRemotes(): Promise<boolean> {
  for (const file of MACHINE_SETTINGS) {
    if (/\[\s*(?:remote|branch|url|include)/i.test((await readSmall(file)) ?? '')) return true;
  }
  return false;
}
