import { existsSync, rmSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { type AskedOptions, benchOptions } from './plan/bench-options.ts';
import type { ScenarioName } from './plan/scenarios.ts';
import { type BenchReport, holds } from './report/bench-report.ts';
import { type BenchRun, runBench } from './run-bench.ts';
import type { BenchWorld } from './bench-world.ts';
import { benchWorld } from './testing/bench-world.ts';
import { forgetfulScheduler, hoardingScheduler, unjustScheduler } from './testing/broken-schedulers.ts';

function bench(
  asked: Omit<AskedOptions, 'seed'>,
  world: Partial<BenchWorld> = {},
  run: BenchRun = {},
): Promise<BenchReport> {
  return runBench(benchOptions({ seed: 7, agents: 6, workMs: 2, ...asked }), benchWorld(world), {
    baselines: false,
    ...run,
  });
}

/** Of the violated ones. */
function violated({ invariants }: BenchReport): readonly string[] {
  return invariants.filter((one) => one.violated > 0).map(({ id }) => id);
}

/** Real sandboxes, files and git, on a machine that may have more to do. */
vi.setConfig({ testTimeout: 60_000 });

const SCENARIOS: readonly (readonly [ScenarioName, number])[] = [
  ['disjoint', 60],
  ['hot-file', 40],
  ['mixed', 40],
  ['monorepo', 40],
  ['git-storm', 8],
  ['approval-flood', 40],
  ['chaos', 40],
];

test.for(SCENARIOS)('in the scenario %s every invariant holds', async ([scenario, commands]) => {
  const report = await bench({ scenario, commands });
  expect(violated(report)).toEqual([]);
  expect(report.numbers.commands).toBe(commands);
  expect(report.kept).toBeNull();
});

test.for(['http', 'mcp'] as const)('agents that come in over %s are served as well', async (door) => {
  const report = await bench({ scenario: 'chaos', commands: 18, door });
  expect(violated(report)).toEqual([]);
  expect(report.numbers.commands).toBe(18);
});

test('a scheduler that forgets conflicts is found out, with the shortest schedule that shows it', async () => {
  const report = await bench(
    { scenario: 'hot-file', commands: 30, bare: true, workMs: 5 },
    { through: forgetfulScheduler },
  );
  expect(violated(report)).toEqual(expect.arrayContaining(['lost-updates', 'overlaps']));
  expect(holds(report)).toBe(false);
  expect(report.shortest?.invariant).toBe('no update is lost');
  expect(report.shortest?.commands.length).toBe(2);
  expect(existsSync(report.kept ?? '')).toBe(true);
  rmSync(report.kept ?? '', { recursive: true });
});

test('a scheduler that lets others overtake is found out', async () => {
  const report = await bench(
    { scenario: 'hot-file', commands: 24 },
    { through: unjustScheduler },
    { shrinkMs: 0 },
  );
  expect(violated(report)).toEqual(['order']);
  rmSync(report.kept ?? '', { recursive: true });
});

test('a lease that is kept for ever is found out', async () => {
  const report = await bench(
    { scenario: 'mixed', commands: 12, mix: { read: 1, write: 0, shell: 0, git: 0 } },
    { through: hoardingScheduler },
    { shrinkMs: 0 },
  );
  expect(violated(report)).toEqual(['leases']);
  rmSync(report.kept ?? '', { recursive: true });
});

test('the same commands without coordination lose updates, and under one lock they lose none', async () => {
  const report = await bench({ scenario: 'hot-file', commands: 40, bare: true }, {}, { baselines: true });
  const [plain, oneLock] = report.baselines;
  expect(plain).toMatchObject({ id: 'plain', commands: 40 });
  expect(plain?.lostUpdates).toBeGreaterThan(0);
  expect(oneLock).toMatchObject({ id: 'one-lock', commands: 40, lostUpdates: 0 });
});

test('commands that come by the clock are sent when they are due, and efficiency is not told of them', async () => {
  const report = await bench({ scenario: 'disjoint', commands: 20, rate: 100, workMs: 0 });
  expect(violated(report)).toEqual([]);
  expect(report.numbers.elapsedMs).toBeGreaterThan(180);
  expect(report.numbers.efficiency).toBeNull();
});
