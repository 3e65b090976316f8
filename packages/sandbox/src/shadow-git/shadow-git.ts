import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { type FileTouch, SandboxError } from '@signalbox/core';
import { createOneByOne } from '../files/one-by-one.ts';
import { readTrusted } from '../programs.ts';
import { type StandingTree, touchesBetween, toStanding } from './standing.ts';

/** Tells what a command changed in the workspace, where it writes to it directly. */
export type ShadowGit = {
  /** Remembers how the workspace stands now. */
  readonly look: () => Promise<ChangesSince>;
};

/**
 * What was created, changed and deleted since then; by whomever. What git ignores is not looked at.
 *
 * @throws {SandboxError} when it can't be told.
 */
export type ChangesSince = () => Promise<readonly FileTouch[]>;

/** Where each process has its own, named after the writer that it is. */
export function shadowsIn(stateFolder: string): string {
  return `${stateFolder}/shadow-git`;
}

/** A first look at a large workspace reads all of it. */
const TIMEOUT_MS = 60_000;

/** Nothing that a repository says of its own content, for what is compared is bytes. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';

/**
 * Brings the index up to the workspace and lists it. It holds names and hashes alone: no content is stored. A
 * repository in the workspace is left out, which git would list with a slash.
 */
const LIST = `
set -e -o pipefail
git ls-files -z --modified --deleted --others --exclude-standard |
  { grep -zv '/$' || [ $? = 1 ]; } | git update-index -z --add --remove --replace --info-only --stdin
git ls-files -z --stage
`;

/**
 * A git repository of our own beside the workspace, which knows nothing of the one in it.
 *
 * @param folder Made here, and of this process alone: others that look at the workspace have one of their own.
 */
export function createShadowGit(options: {
  readonly workspace: string;
  readonly folder: string;
  /** Our own state, which is left out. */
  readonly stateFolder: string;
  readonly path: string;
}): ShadowGit {
  const { workspace, folder, stateFolder, path } = options;
  const oneByOne = createOneByOne();
  let isMade = false;

  const git = (script: string): Promise<string> =>
    readTrusted(['/bin/bash', '--noprofile', '--norc', '-c', script], {
      cwd: workspace,
      timeoutMs: TIMEOUT_MS,
      env: {
        PATH: path,
        LC_ALL: 'C.UTF-8',
        GIT_DIR: folder,
        GIT_WORK_TREE: workspace,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_OPTIONAL_LOCKS: '0',
      },
    });

  async function make(): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await git('git init --quiet --template= && git config core.hooksPath /dev/null');
    mkdirSync(`${folder}/info`, { recursive: true });
    writeFileSync(`${folder}/info/attributes`, ATTRIBUTES);
    const own = relative(workspace, stateFolder);
    writeFileSync(`${folder}/info/exclude`, own.startsWith('..') || isAbsolute(own) ? '' : `/${own}/\n`);
    isMade = true;
  }

  async function list(): Promise<StandingTree> {
    if (!isMade) await make();
    return toStanding(await git(LIST));
  }

  /** One after the other, since they share the index. */
  function look(): Promise<StandingTree> {
    return oneByOne('index', list).catch((cause: unknown) => {
      throw new SandboxError('Cannot tell what commands change: git could not look at the workspace', {
        cause,
        why: cause instanceof Error ? [cause.message] : [],
      });
    });
  }

  return {
    async look() {
      const before = await look();
      return async () => touchesBetween(workspace, before, await look());
    },
  };
}
