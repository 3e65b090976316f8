import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnavailableError, UsageError } from '@signalbox/core';
import type { BenchWorld } from '../bench-world.ts';
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

type Laid = Pick<BenchOptions, 'scenario' | 'agents' | 'files' | 'hot'>;

/** More than that take longer to lay out than any run that is worth it. */
const MOST_FILES = 100_000;
/** What a scenario may add to `--files` at its most: a hot file, a manifest, as many in each folder. */
const ADDED = 10;
/** Files that are written before an interruption is heard. */
const IN_A_TURN = 256;

/**
 * Makes a folder for one run. Interrupted, it lays out no more files: no command will come.
 *
 * @throws {UsageError} `too-many-files` before anything is written.
 * @throws {UnavailableError} `no-git` when git can't make the first commit; then nothing is left.
 */
export async function setUpBench(
  options: Laid,
  { parent, runShell, signal }: Pick<BenchWorld, 'parent' | 'runShell' | 'signal'>,
): Promise<BenchGround> {
  const paths = scenarios[options.scenario]
    .paths(options)
    .take(MOST_FILES + ADDED + 1)
    .toArray();
  if (paths.length > MOST_FILES + ADDED) throw tooMany(options);
  const folder = await realpath(await mkdtemp(join(parent, 'signalbox-bench-')));
  const workspace = join(folder, 'workspace');
  try {
    await layOut(paths, workspace, signal);
    await runShell(FIRST_COMMIT, workspace).catch((cause: unknown) => {
      // Who interrupts us from a terminal interrupts git as well.
      if (!signal.aborted) throw noGit(cause);
    });
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
  return { folder, workspace, log: join(folder, 'evidence.log') };
}

async function layOut(paths: readonly string[], workspace: string, signal: AbortSignal): Promise<void> {
  for (const path of new Set([SHELL_EVIDENCE, ...paths.map((file) => dirname(file))])) {
    mkdirSync(join(workspace, path), { recursive: true });
  }
  for (const [n, path] of paths.entries()) {
    if (n % IN_A_TURN === 0) await nextTurn();
    if (signal.aborted) return;
    writeFileSync(join(workspace, path), '0\n', { flag: 'wx' });
  }
}

const FIRST_COMMIT = [
  'git init --quiet --initial-branch=main',
  "git config user.name 'Signalbox bench'",
  'git config user.email bench@signalbox.invalid',
  'git config gc.auto 0',
  'git config commit.gpgSign false',
  'git add --all',
  'git -c core.hooksPath=/dev/null commit --quiet --allow-empty --message=start',
].join(' && ');

function tooMany({ scenario, agents, files }: Laid): UsageError {
  const of = scenario === 'disjoint' ? `${files} for each of ${agents} agents` : String(files);
  return new UsageError('too-many-files', `Cannot lay out so many files: ${of}`, {
    why: [`a run has at most ${MOST_FILES.toLocaleString('en')}`],
    next: [scenario === 'disjoint' ? 'fewer --files or --agents' : 'fewer --files'],
  });
}

function noGit(cause: unknown): UnavailableError {
  return new UnavailableError('no-git', 'Cannot set up the bench: git could not make the first commit', {
    cause,
    why: cause instanceof Error ? [cause.message] : [],
    next: ['install git, or mend what it says', 'some scenarios commit, and their history is looked at'],
  });
}
