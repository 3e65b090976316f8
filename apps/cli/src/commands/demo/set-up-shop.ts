import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { SHOP } from './shop.ts';

/** Runs a program of the machine, outside every sandbox; null if it fails. */
export type RunTrusted = (argv: readonly [string, ...string[]]) => string | null;

/**
 * Writes the sample project into a new folder and commits it to git.
 *
 * @param parent Where the folder is created: the machine's folder for temporary files.
 * @returns The workspace, absolute; its folder is named `shop`.
 * @throws {UnavailableError} `no-git` when git can't make the commit
 */
export async function setUpShop(parent: string, runTrusted: RunTrusted): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, 'signalbox-demo-')));
  const workspace = join(folder, 'shop');
  for (const [path, text] of Object.entries(SHOP)) {
    const file = join(workspace, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  }
  for (const args of GIT_STEPS) {
    if (runTrusted(['git', '-C', workspace, ...args]) !== null) continue;
    throw new UnavailableError('no-git', `Cannot set up the demo in "${workspace}": git ${args[0]} failed`, {
      why: ['the demo needs a real git workspace'],
      next: ['install git and try again', `git -C ${workspace} ${args[0]} (shows what is wrong)`],
    });
  }
  return workspace;
}

const GIT_STEPS: readonly (readonly string[])[] = [
  ['init', '--quiet', '--initial-branch=main'],
  ['config', 'user.name', 'Signalbox demo'],
  ['config', 'user.email', 'demo@signalbox.invalid'],
  ['add', '--all'],
  [
    '-c',
    'commit.gpgSign=false',
    '-c',
    'core.hooksPath=/dev/null',
    'commit',
    '--quiet',
    '--message=Shop, six tests red',
  ],
];
