import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import type { RunTrusted } from '../../demo/set-up-shop.ts';
import { SHELL_EVIDENCE } from '../evidence/read-evidence.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import { scenarios } from '../plan/scenarios.ts';

/** Where one run takes place; everything of it lies in `folder`. */
export type BenchGround = Readonly<{
  folder: string;
  /** A git workspace whose files all hold 0. */
  workspace: string;
  /** Evidence log, beside the workspace. */
  log: string;
}>;

/**
 * Makes a folder for one run.
 *
 * @param parent The machine's folder for temporary files.
 * @throws {UnavailableError} `no-git` when git can't make the first commit.
 */
export async function setUpBench(
  options: Pick<BenchOptions, 'scenario' | 'agents' | 'files' | 'hot'>,
  parent: string,
  runTrusted: RunTrusted,
): Promise<BenchGround> {
  const folder = await realpath(await mkdtemp(join(parent, 'signalbox-bench-')));
  const workspace = join(folder, 'workspace');
  const folders = new Set<string>([SHELL_EVIDENCE]);
  const paths = scenarios[options.scenario].paths(options);
  for (const path of paths) folders.add(dirname(path));
  for (const path of folders) await mkdir(join(workspace, path), { recursive: true });
  for (const path of paths) await writeFile(join(workspace, path), '0\n', { flag: 'wx' });
  for (const args of GIT_STEPS) {
    if (runTrusted(['git', '-C', workspace, ...args]) !== null) continue;
    throw new UnavailableError('no-git', `Cannot set up the bench in "${workspace}": git ${args[0]} failed`, {
      why: ['some scenarios commit, and their history is looked at'],
      next: ['install git and try again', `git -C ${workspace} ${args[0]} (shows what is wrong)`],
    });
  }
  return { folder, workspace, log: join(folder, 'evidence.log') };
}

const GIT_STEPS: readonly (readonly string[])[] = [
  ['init', '--quiet', '--initial-branch=main'],
  ['config', 'user.name', 'Signalbox bench'],
  ['config', 'user.email', 'bench@signalbox.invalid'],
  ['config', 'gc.auto', '0'],
  ['config', 'commit.gpgSign', 'false'],
  ['add', '--all'],
  ['-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--message=start'],
];
