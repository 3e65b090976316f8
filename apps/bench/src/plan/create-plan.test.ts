import { expect, test } from 'vitest';
import { benchOptions } from './bench-options.ts';
import { createPlan } from './create-plan.ts';
import { scenarios } from './scenarios.ts';
import { SCENARIOS } from './scenario-names.ts';

const keys = Array.from({ length: 2000 }, (_, key) => key);

test.for(SCENARIOS)(
  'the scenario %s is the same for the same seed, and another for another one',
  (scenario) => {
    const commands = (seed: number) =>
      keys.map(createPlan(benchOptions({ scenario, seed, workMs: 50 })).command);
    expect(commands(5)).toEqual(commands(5));
    expect(commands(5)).not.toEqual(commands(6));
  },
);

test.for(SCENARIOS)('every file that the scenario %s counts exists beforehand', (scenario) => {
  const options = benchOptions({ scenario, seed: 1, agents: 3, files: 7 });
  const there = new Set(scenarios[scenario].paths(options));
  const counted = keys.map(createPlan(options).command).filter(({ scope }) => scope === 'file');
  expect(counted.filter(({ path }) => !there.has(path))).toEqual([]);
});

test('agents of disjoint never name the same file', () => {
  const plan = createPlan(benchOptions({ scenario: 'disjoint', seed: 1, agents: 4 }));
  const byPath = Map.groupBy(keys.map(plan.command), ({ path }) => path);
  for (const commands of byPath.values()) expect(new Set(commands.map(({ agent }) => agent)).size).toBe(1);
});

test('mix and hot share match the options', () => {
  const mix = { read: 60, write: 30, shell: 8, git: 2 };
  const plan = createPlan(benchOptions({ scenario: 'mixed', seed: 3, hot: 0.25, mix }));
  const commands = keys.map(plan.command);
  const share = (fits: (command: (typeof commands)[number]) => boolean): number =>
    commands.filter(fits).length / commands.length;
  expect(share(({ work }) => work === 'read')).toBeCloseTo(0.6, 1);
  expect(share(({ work }) => work === 'git')).toBeCloseTo(0.02, 1);
  expect(share(({ path }) => path === 'hot/0.txt')).toBeCloseTo(0.25, 1);
});
