import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { doors } from '../frame/doors.ts';
import type { Doors } from '../house.ts';
import { screenText } from '../testing/screen-text.ts';
import { createTestTerminal, type Ran } from '../testing/test-context.ts';
import { type AskedOptions, benchOptions } from './plan/bench-options.ts';
import type { ScenarioName } from './plan/scenarios.ts';
import { BenchReport, holds } from './report/bench-report.ts';
import { benchView } from './report/bench-view.ts';
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

/** Somebody who sets the hot file back to 0 whenever a command has counted it, and asks nobody. */
const withIntruder: Doors = {
  ...doors,
  async openHouse(options) {
    const house = await doors.openHouse(options);
    house.events.subscribe(({ type }) => {
      if (type === 'command_completed') writeFileSync(join(options.workspace, 'hot/0.txt'), '0\n');
    });
    return house;
  },
};

test('a file that is changed behind the back of the house ends a bench with 1, its seed and the shortest schedule', async () => {
  const { signalbox } = createTestTerminal(await someFolder(), { doors: withIntruder });
  const argv = ['hot-file', '--bare', '--agents', '3', '--commands', '9', '--seed', '11', '--no-baselines'];
  const ran = await signalbox('bench', ...argv, '--json');
  const report = reportOf(ran);
  rmSync(report.kept ?? '', { recursive: true });

  expect(ran.exit).toBe(1);
  expect(report.options.seed).toBe(11);
  expect(violated(report)).toEqual(['lost-updates']);
  // One alone is enough: what it counted does not stand there.
  expect(report.shortest?.commands).toEqual([expect.stringMatching(/^#\d agent \d: write hot\/0\.txt/)]);
  const shown = screenText(benchView(report, { width: 80, now: 0, utcOffsetMs: 0 }), 80);
  expect(shown).toContain('seed 11');
  expect(shown).toContain('The shortest schedule found');
  expect(shown).toContain(report.shortest?.commands[0]);
});

test('bench --json answers one report, which it saves and draws too, and compare reads', async () => {
  const folder = await someFolder();
  const { signalbox } = createTestTerminal(folder);
  const argv = [
    '--agents',
    '3',
    '--commands',
    '6',
    '--work',
    '1ms',
    '--save',
    'a.json',
    '--report',
    'a.html',
  ];
  const ran = await signalbox('bench', 'disjoint', ...argv, '--seed', '2', '--json');
  const report = reportOf(ran);
  expect([ran.exit, report.numbers.commands]).toEqual([0, 6]);
  expect(report.samples.at(-1)).toMatchObject({ answered: 6, waiting: 0, underway: 0 });
  expect(JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8'))).toEqual(JSON.parse(ran.out));

  // Whatever it needs stands in the page: nothing that is fetched.
  const page = readFileSync(join(folder, 'a.html'), 'utf8');
  expect(page).not.toMatch(/(src|href)=|@import|url\(/);

  const compared = await signalbox('bench', 'compare', 'a.json', 'a.json', '--json');
  expect(compared.exit).toBe(0);
  expect(JSON.parse(compared.out)).toMatchObject({ ratios: { 'commands/s': 1 }, differ: [] });
});

test('processes that are killed while they lead leave every invariant whole, and Redis shows what a queue costs', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const report = await bench(
    {
      scenario: 'mixed',
      mix: { read: 1, write: 2, shell: 0, git: 0 },
      agents: 4,
      durationMs: 1500,
      backend: 'redis',
      workers: 2,
      killRate: 1,
    },
    { redis: { url: server.url, volatile: true } },
    { baselines: true },
  );
  expect(violated(report)).toEqual([]);
  expect(report.killed).toBeGreaterThan(0);
  expect(report.numbers.commands).toBeGreaterThanOrEqual(4);
  expect(report.baselines.map(({ id }) => id)).toEqual(['plain', 'one-lock', 'bullmq']);
});

function reportOf({ out }: Ran): BenchReport {
  return BenchReport.parse(JSON.parse(out));
}

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
