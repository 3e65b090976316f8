import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchReport } from '@signalbox/bench';
import type { ScenarioName } from '@signalbox/bench/scenario-names';
import { listKeys, startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createTestTerminal, type TestRun } from '../../testing/test-context.ts';
import { runTestBench, violatedIn } from './testing/run-test-bench.ts';

const SCENARIOS: readonly (readonly [ScenarioName, number])[] = [
  ['disjoint', 60],
  ['hot-file', 40],
  ['mixed', 40],
  ['monorepo', 40],
  ['git-storm', 8],
  ['approval-flood', 40],
  ['chaos', 40],
];

test.for(SCENARIOS)(
  'in the scenario %s every invariant holds, and what events, screens and totals show is true (S003-88, S003-89, U-19, L-24)',
  async ([scenario, commands]) => {
    const report = await runTestBench({ scenario, commands, monitored: true });
    expect(report.invariants.filter(({ violated }) => violated > 0)).toEqual([]);
    const looked = report.invariants.filter(({ id }) => ['events', 'screens', 'totals'].includes(id));
    expect(looked.map(({ facts }) => facts > 0)).toEqual([true, true, true]);
    expect(report.numbers.commands).toBe(commands);
    expect(report.kept).toBeNull();
  },
);

test.for(['http', 'mcp'] as const)('agents that connect over %s are served as well', async (door) => {
  const report = await runTestBench({ scenario: 'chaos', commands: 18, door });
  expect(violatedIn(report)).toEqual([]);
  expect(report.numbers.commands).toBe(18);
});

test('the same commands without coordination lose updates, and under one lock they lose none', async () => {
  const report = await runTestBench(
    { scenario: 'hot-file', commands: 40, bare: true },
    {},
    { baselines: true },
  );
  const [plain, oneLock] = report.baselines;
  expect(plain).toMatchObject({ id: 'plain', commands: 40 });
  expect(plain?.lostUpdates).toBeGreaterThan(0);
  expect(oneLock).toMatchObject({ id: 'one-lock', commands: 40, lostUpdates: 0 });
});

test('timed commands are sent when due, and no efficiency is reported for them', async () => {
  const report = await runTestBench({ scenario: 'disjoint', commands: 20, rate: 100, workMs: 0 });
  expect(violatedIn(report)).toEqual([]);
  expect(report.numbers.elapsedMs).toBeGreaterThan(180);
  expect(report.numbers.efficiency).toBeNull();
});

test('bench --json prints one report, saves and draws it, and compare reads it (L-42)', async () => {
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

  // The page is self-contained: it fetches nothing.
  const page = readFileSync(join(folder, 'a.html'), 'utf8');
  expect(page).not.toMatch(/(src|href)=|@import|url\(/);

  const compared = await signalbox('bench', 'compare', 'a.json', 'a.json', '--json');
  expect(compared.exit).toBe(0);
  expect(JSON.parse(compared.out)).toMatchObject({ ratios: { 'commands/s': 1 }, differ: [] });
});

test('killed coordinators violate no invariant, and Redis shows the cost of a queue', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const report = await runTestBench(
    {
      scenario: 'mixed',
      mix: { read: 1, write: 2, shell: 0, git: 0 },
      agents: 4,
      durationMs: 1500,
      backend: 'redis',
      workers: 2,
      killRate: 1,
      monitored: true,
    },
    { redis: { url: server.url, volatile: true } },
    { baselines: true },
  );
  expect(report.invariants.filter(({ violated }) => violated > 0)).toEqual([]);
  expect(report.killed).toBeGreaterThan(0);
  expect(report.numbers.commands).toBeGreaterThanOrEqual(4);
  expect(report.baselines.map(({ id }) => id)).toEqual(['plain', 'one-lock', 'bullmq']);
  expect(await listKeys(server.url, '*')).toEqual([]);
});

test('a coordinator without Redis that is killed and started again violates no invariant, and what is shown is true (S003-89)', async () => {
  const report = await runTestBench({
    scenario: 'mixed',
    mix: { read: 1, write: 2, shell: 1, git: 0 },
    agents: 4,
    durationMs: 4500,
    killRate: 0.5,
    monitored: true,
  });
  expect(report.invariants.filter(({ violated }) => violated > 0)).toEqual([]);
  expect(report.killed).toBeGreaterThan(0);
  expect(report.invariants.find(({ id }) => id === 'events')?.facts).toBeGreaterThan(0);
}, 180_000);

function reportOf({ out }: TestRun): BenchReport {
  return BenchReport.parse(JSON.parse(out));
}

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
