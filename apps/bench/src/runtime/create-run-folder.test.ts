import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { benchOptions } from '../plan/bench-options.ts';
import { SCENARIOS } from '../plan/scenario-names.ts';
import { runShell } from '../run-shell.ts';
import { createRunFolder } from './create-run-folder.ts';

const env = { PATH: process.env['PATH'] };
const { signal } = new AbortController();

function someFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a run has its own git workspace, whose files all hold 0 and are committed', async () => {
  const options = benchOptions({ scenario: 'disjoint', seed: 1, agents: 2, files: 2 });
  const { workspace } = await createRunFolder(options, { parent: someFolder(), env, signal });
  expect(readFileSync(join(workspace, 'own/1/1.txt'), 'utf8')).toBe('0\n');
  const tracked = await runShell('git ls-files && git status --porcelain', { workspace, env });
  expect(tracked).toBe('own/0/0.txt\nown/0/1.txt\nown/1/0.txt\nown/1/1.txt\n');
});

test('more files than a run may have are refused before one is written, however many they are', async () => {
  const parent = someFolder();
  const options = benchOptions({ scenario: 'disjoint', seed: 1, agents: 10_000, files: 100_000 });
  await expect(createRunFolder(options, { parent, env, signal })).rejects.toMatchObject({
    code: 'too-many-files',
    message: 'Cannot lay out so many files: 100000 for each of 10000 agents',
  });
  expect(readdirSync(parent)).toEqual([]);
});

test.for(SCENARIOS)('the scenario %s accepts as many files as a run may have', async (scenario) => {
  const options = benchOptions({ scenario, seed: 1, agents: 1, files: 100_000 });
  // Interrupted before the first file, so that none is written.
  const world = { parent: someFolder(), env, signal: AbortSignal.abort() };
  await expect(createRunFolder(options, world)).resolves.toBeDefined();
});

test('a run folder without git is removed again, and the error quotes git', async () => {
  const parent = someFolder();
  const world = { parent, env: { PATH: join(parent, 'bin') }, signal };
  const options = benchOptions({ scenario: 'mixed', seed: 1, files: 2 });
  await expect(createRunFolder(options, world)).rejects.toMatchObject({
    code: 'no-git',
    why: [expect.stringContaining('git: ')],
  });
  expect(readdirSync(parent)).toEqual([]);
});

test('an interrupted set-up writes no more files', async () => {
  const world = { parent: someFolder(), env, signal: AbortSignal.abort() };
  const { workspace } = await createRunFolder(benchOptions({ scenario: 'mixed', seed: 1 }), world);
  expect(existsSync(join(workspace, 'hot/0.txt'))).toBe(false);
});
