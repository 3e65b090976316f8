import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { benchOptions } from '../plan/bench-options.ts';
import { SCENARIOS } from '../../table/scenario-names.ts';
import { benchWorld } from '../testing/bench-world.ts';
import { setUpBench } from './set-up-bench.ts';

function someFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a run works in a git workspace of its own, whose files all hold 0 and are committed', async () => {
  const world = benchWorld({ parent: someFolder() });
  const options = benchOptions({ scenario: 'disjoint', seed: 1, agents: 2, files: 2 });
  const { workspace } = await setUpBench(options, world);
  expect(readFileSync(join(workspace, 'own/1/1.txt'), 'utf8')).toBe('0\n');
  const tracked = String(await world.runShell('git ls-files && git status --porcelain', workspace));
  expect(tracked).toBe('own/0/0.txt\nown/0/1.txt\nown/1/0.txt\nown/1/1.txt\n');
});

test('more files than can be laid out are refused before one is written, however many they are', async () => {
  const parent = someFolder();
  const options = benchOptions({ scenario: 'disjoint', seed: 1, agents: 10_000, files: 100_000 });
  await expect(setUpBench(options, benchWorld({ parent }))).rejects.toMatchObject({
    code: 'too-many-files',
    message: 'Cannot lay out so many files: 100000 for each of 10000 agents',
  });
  expect(readdirSync(parent)).toEqual([]);
});

test.for(SCENARIOS)('as many files as may be asked for are laid out in the scenario %s', async (scenario) => {
  const options = benchOptions({ scenario, seed: 1, agents: 1, files: 100_000 });
  // Interrupted before the first file, so that none of them is written.
  const world = benchWorld({ parent: someFolder(), signal: AbortSignal.abort() });
  await expect(setUpBench(options, world)).resolves.toBeDefined();
});

test('a set-up that fails leaves no folder, and says what git said', async () => {
  const parent = someFolder();
  const world = benchWorld({ parent, runShell: () => Promise.reject(new Error('git: not found')) });
  const options = benchOptions({ scenario: 'mixed', seed: 1, files: 2 });
  await expect(setUpBench(options, world)).rejects.toMatchObject({ code: 'no-git', why: ['git: not found'] });
  expect(readdirSync(parent)).toEqual([]);
});

test('a set-up that is interrupted lays out no more', async () => {
  const world = benchWorld({ parent: someFolder(), signal: AbortSignal.abort() });
  const { workspace } = await setUpBench(benchOptions({ scenario: 'mixed', seed: 1 }), world);
  expect(existsSync(join(workspace, 'hot/0.txt'))).toBe(false);
});
