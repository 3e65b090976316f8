import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Inspector } from '@signalbox/core';
import { stands } from '../stands.ts';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';
import { readSmall } from './read-refs.ts';

type GitPurpose = Parameters<Inspector['obstacle']>[0];
type GitObstacle = Awaited<ReturnType<Inspector['obstacle']>>;

/** Against a commit, or nothing before the first one. */
const STAGED = 'diff --cached --name-only --no-ext-diff --no-textconv --ignore-submodules=none'.split(' ');
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What lets git commit although nothing is staged. */
const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
/** Where git may keep the settings of a machine. */
const MACHINE_SETTINGS = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];
/** Settings that may name a remote elsewhere, or make a name an address. */
const OPEN_SETTINGS = /^(?:include|includeif|url)\.|^extensions\.worktreeconfig$/;

/** Why git would surely refuse; null in every case of doubt. */
export async function gitObstacle(purpose: GitPurpose, options: RepositoryOptions): Promise<GitObstacle> {
  const folder = await realpath(join(options.workspace, purpose.cwd));
  if (!(await isInRepository(folder))) return { kind: 'no-repository' };
  if (purpose.kind === 'use') return null;
  return inRepository(purpose.cwd, options, (repository) =>
    purpose.kind === 'push' ? noRemote(purpose.remote, { folder, repository }) : noneStaged(repository),
  );
}

/** Also one that lies around the workspace. Bare ones count only where a line names them. */
async function isInRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await stands(join(at, '.git'))) return true;
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
  { folder, repository }: { readonly folder: string; readonly repository: Repository },
): Promise<GitObstacle> {
  const { settingNames, holds } = repository;
  const names = await settingNames();
  if (names.some((name) => OPEN_SETTINGS.test(name)) || (await machineNamesRemotes())) return null;
  const remotes = [...new Set(names.flatMap((name) => /^remote\.(.+)\.[a-z]+$/.exec(name)?.[1] ?? []))];
  // Remotes of git's first years are files.
  for (const old of ['remotes', 'branches']) if (await holds(`${old}/${remote ?? 'origin'}`)) return null;
  if (remote === null) {
    const isNamed = names.some((name) =>
      /^(?:remote|branch\..+)\.(?:pushdefault|remote|pushremote)$/.test(name),
    );
    return remotes.length > 0 || isNamed ? null : { kind: 'no-remote', remote, remotes };
  }
  // Anything else may be an address or a path.
  if (!/^[A-Za-z0-9][\w-]*$/.test(remote) || remotes.includes(remote)) return null;
  for (const path of [remote, `${remote}.git`]) if (await stands(join(folder, path))) return null;
  return { kind: 'no-remote', remote, remotes };
}

async function machineNamesRemotes(): Promise<boolean> {
  for (const file of MACHINE_SETTINGS) {
    if (/\[\s*(?:remote|branch|url|include)/i.test((await readSmall(file)) ?? '')) return true;
  }
  return false;
}
