import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { type FileTouch, SandboxError } from '@signalbox/core';
import { createOneByOne } from '../files/one-by-one.ts';
import { readTrusted } from '../programs.ts';
import { type ListedTree, touchesBetween, toTreeListing } from './tree-listing.ts';

/** Reports what a command changed in the workspace, if it writes to it directly. */
export type ShadowGit = {
  /** Records the current state of the workspace. */
  readonly list: () => Promise<ChangesSince>;
};

/**
 * Lists files created, changed and deleted since then, by anyone. Ignored files are not included.
 *
 * @throws {SandboxError} when the changes can't be determined
 */
export type ChangesSince = () => Promise<readonly FileTouch[]>;

/** The folder of all shadow gits; each process has its own, named after its writer. */
export function shadowsIn(stateFolder: string): string {
  return `${stateFolder}/shadow-git`;
}

/** The first listing reads the whole workspace. */
const TIMEOUT_MS = 60_000;

/** Overrides a repository's attributes, as raw bytes are compared. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';

/**
 * Updates the index from the workspace and lists it. It has names and hashes only, no content. Nested
 * repositories, which git lists with a slash, are omitted.
 */
const LIST = `
set -e -o pipefail
git ls-files -z --modified --deleted --others --exclude-standard |
  { grep -zv '/$' || [ $? = 1 ]; } | git update-index -z --add --remove --replace --info-only --stdin
git ls-files -z --stage
`;

/**
 * Creates our own git repository beside the workspace, independent of the one in it.
 *
 * @param folder Created here, for this process only.
 */
export function createShadowGit(options: {
  readonly workspace: string;
  readonly folder: string;
  /** Our own state, which is excluded. */
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

  async function list(): Promise<ListedTree> {
    if (!isMade) await make();
    return toTreeListing(await git(LIST));
  }

  /** Listings run one at a time, since they share the index. */
  function listInTurn(): Promise<ListedTree> {
    return oneByOne('index', list).catch((cause: unknown) => {
      throw new SandboxError('Cannot tell what commands change: git could not read the workspace', {
        cause,
        why: cause instanceof Error ? [cause.message] : [],
      });
    });
  }

  return {
    async list() {
      const before = await listInTurn();
      return async () => touchesBetween(workspace, before, await listInTurn());
    },
  };
}
