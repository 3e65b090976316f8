import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnavailableError, UsageError } from '@signalbox/core';
import type { BenchWorld } from '../bench-world.ts';
import { runShell } from '../run-shell.ts';
import { SHELL_EVIDENCE } from '../evidence/read-evidence.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import { scenarios } from '../plan/scenarios.ts';

/** The folder of one run. */
export type RunFolder = Readonly<{
  path: string;
  /** A git workspace whose files all hold 0. */
  workspace: string;
  /** Beside the workspace, so that only the bench tools write to it. */
  evidenceFile: string;
}>;

type FileOptions = Pick<BenchOptions, 'scenario' | 'agents' | 'files' | 'hot'>;

/** More take longer to write than a run is worth. */
const MAX_FILES = 100_000;
/** The most that a scenario adds to `--files`: a hot file, a manifest, rounding up in each folder. */
const ADDED = 10;
/** Files written between two checks for an interruption. */
const IN_A_TURN = 256;

/**
 * Creates a folder for one run. After an interruption it writes no more files, since no command will come.
 *
 * @throws {UsageError} `too-many-files` before anything is written.
 * @throws {UnavailableError} `no-git` when git can't make the first commit; the folder is removed then.
 */
export async function createRunFolder(
  options: FileOptions,
  { parent, env, signal }: Pick<BenchWorld, 'parent' | 'env' | 'signal'>,
): Promise<RunFolder> {
  const paths = scenarios[options.scenario]
    .paths(options)
    .take(MAX_FILES + ADDED + 1)
    .toArray();
  if (paths.length > MAX_FILES + ADDED) throw tooMany(options);
  const folder = await realpath(await mkdtemp(join(parent, 'signalbox-bench-')));
  const workspace = join(folder, 'workspace');
  try {
    await writeFiles(paths, workspace, signal);
    await runShell(FIRST_COMMIT, { workspace, env }).catch((cause: unknown) => {
      // Ctrl-C in a terminal interrupts git as well.
      if (!signal.aborted) throw noGit(cause);
    });
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
  return { path: folder, workspace, evidenceFile: join(folder, 'evidence.log') };
}

async function writeFiles(paths: readonly string[], workspace: string, signal: AbortSignal): Promise<void> {
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

function tooMany({ scenario, agents, files }: FileOptions): UsageError {
  const of = scenario === 'disjoint' ? `${files} for each of ${agents} agents` : String(files);
  return new UsageError('too-many-files', `Cannot lay out so many files: ${of}`, {
    why: [`a run has at most ${MAX_FILES.toLocaleString('en')}`],
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
