import { copyFile, lstat, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { readAtMost } from '../programs.ts';
import { safePath } from '../safe-path.ts';
import { mayExist } from '../may-exist.ts';
import { readRefs, readSmall, type RepositoryRefs } from './read-refs.ts';

/** For one run of git. */
const TIMEOUT_MS = 3000;
const MAX_COPIED_BYTES = 64 * 1024 ** 2;

/** A repository in its current state, read through a git folder of our own. */
export type Repository = Readonly<{
  refs: RepositoryRefs;
  /** The work tree's root, relative to the workspace; `.` at the workspace itself. */
  root: string;
  /** The repository's own settings; the last one wins. Values are returned, never applied. */
  setting(key: string): Promise<string | undefined>;
  /** The names of all settings, as git spells them. */
  settingNames(): Promise<readonly string[]>;
  /** Whether git's folder has a file or folder of that name, such as `MERGE_HEAD`. */
  holds(name: string): Promise<boolean>;
  /** Runs a read-only git subcommand in the given folder, with this standard input. */
  git(
    args: readonly string[],
    maxBytes: number,
    options?: Readonly<{ input?: string }>,
  ): Promise<{ readonly text: string; readonly bytes: Buffer; readonly isCut: boolean }>;
}>;

export type RepositoryOptions = Readonly<{
  /** Absolute path with links resolved. */
  workspace: string;
  /** Folder for temporary files, in our own state. */
  scratch: string;
  /** Where `git` is looked up. */
  path: string;
}>;

/**
 * Lets git read a repository without its configuration, hooks, filters or attribute programs: git gets a folder
 * of ours with the repository's objects and a copy of its index and HEAD.
 *
 * @param cwd Folder of the workspace, normalised.
 * @throws {UnavailableError} when there is no readable repository
 */
export async function inRepository<Answer>(
  cwd: string,
  options: RepositoryOptions,
  use: (repository: Repository) => Promise<Answer>,
): Promise<Answer> {
  const { workspace, scratch, path } = options;
  const tree = await workTreeOf(cwd, workspace);
  const gitFolder = await gitFolderOf(tree);
  const common = await commonFolderOf(gitFolder);
  const refs = await readRefs(gitFolder, common);
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(join(scratch, 'preview-'));
  const env = {
    PATH: safePath(path, workspace),
    LC_ALL: 'C.UTF-8',
    HOME: own,
    GIT_DIR: own,
    GIT_WORK_TREE: tree,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
  };
  try {
    await assemble(own, gitFolder, { common, refs });
    return await use({
      refs,
      root: relative(workspace, tree) || '.',
      ...createSettings(join(common, 'config'), own, env),
      holds: async (name) =>
        (await Promise.all([gitFolder, common].map((folder) => mayExist(join(folder, name))))).includes(true),
      git: (args, maxBytes, { input = '' } = {}) =>
        readAtMost(['git', '--no-pager', ...args], {
          cwd: join(workspace, cwd),
          env,
          timeoutMs: TIMEOUT_MS,
          maxBytes,
          input,
        }),
    });
  } catch (cause) {
    if (cause instanceof UnavailableError) throw cause;
    throw unreadable(cause);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The nearest folder with a `.git`, up to the workspace. */
async function workTreeOf(cwd: string, workspace: string): Promise<string> {
  let folder = resolve(workspace, cwd);
  for (;;) {
    if ((await lstat(join(folder, '.git')).catch(() => null)) !== null) return folder;
    if (folder === workspace) break;
    folder = dirname(folder);
  }
  throw new UnavailableError('no-repository', 'there is no git repository in the workspace');
}

/** A `.git` file names the folder of a linked work tree or a submodule. */
async function gitFolderOf(tree: string): Promise<string> {
  const at = join(tree, '.git');
  if ((await stat(at)).isDirectory()) return at;
  const named = /^gitdir: (.+)$/.exec((await readSmall(at))?.trim() ?? '')?.[1];
  if (named === undefined) throw new UnavailableError('no-repository', 'its .git is not one of git');
  return isAbsolute(named) ? named : resolve(tree, named);
}

async function commonFolderOf(gitFolder: string): Promise<string> {
  const text = await readSmall(join(gitFolder, 'commondir'));
  return text === null ? gitFolder : resolve(gitFolder, text.trim());
}

async function assemble(
  own: string,
  gitFolder: string,
  { common, refs }: Readonly<{ common: string; refs: RepositoryRefs }>,
): Promise<void> {
  const isSha256 = refs.head.commit?.length === 64;
  const config = isSha256
    ? '[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectFormat = sha256\n'
    : '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
  await mkdir(join(own, 'refs'));
  await mkdir(join(own, 'objects/info'), { recursive: true });
  await writeFile(join(own, 'objects/info/alternates'), `${join(common, 'objects')}\n`);
  await writeFile(join(own, 'config'), config);
  await writeFile(join(own, 'HEAD'), `${refs.head.commit ?? 'ref: refs/heads/none'}\n`);
  await mkdir(join(own, 'info'));
  await copyPlain(join(gitFolder, 'index'), join(own, 'index'));
  await copyPlain(join(common, 'shallow'), join(own, 'shallow'));
  await copyPlain(join(common, 'info/exclude'), join(own, 'info/exclude'));
}

/** Copies a regular file only: a pipe would block forever. */
async function copyPlain(from: string, to: string): Promise<void> {
  const seen = await stat(from).catch(() => null);
  if (seen === null || !seen.isFile()) return;
  if (seen.size > MAX_COPIED_BYTES)
    throw new UnavailableError('too-large', `${basename(from)} of the repository is larger than 64 MiB`);
  await copyFile(from, to);
  // Keeps its mtime: git compares the content of files no older than the index, and a younger copy would hide
  // their changes.
  const seconds = Math.floor(seen.mtimeMs / 1000) - 1;
  await utimes(to, seconds, seconds);
}

function createSettings(
  file: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Pick<Repository, 'setting' | 'settingNames'> {
  let all: Promise<ReadonlyMap<string, string>> | null = null;
  const read = async (): Promise<ReadonlyMap<string, string>> => {
    const list = ['git', 'config', '--file', file, '--no-includes', '--null', '--list'] as const;
    const { text } = await readAtMost(list, { cwd, env, timeoutMs: TIMEOUT_MS, maxBytes: 1024 ** 2 });
    const pairs = text.split('\0').map((entry) => {
      const at = entry.indexOf('\n');
      return at < 0 ? ([entry, 'true'] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const);
    });
    return new Map(pairs);
  };
  return {
    setting: async (key) => (await (all ??= read())).get(key),
    settingNames: async () => [...(await (all ??= read())).keys()],
  };
}

function unreadable(cause: unknown): UnavailableError {
  const message = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  const why = message.includes('ENOENT') && message.includes('spawn') ? 'git is not installed' : message;
  return new UnavailableError('unreadable', why.replace(/^fatal: /, '').slice(0, 300), { cause });
}
