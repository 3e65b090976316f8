import { toolDependencies } from '@signalbox/core';
import { expect, test } from 'vitest';
import { boostFor, gateDependencies } from './gate-dependencies.ts';
import { candidatesOf, offerTool } from './testing/offer-tools.ts';

const RULES = {
  publish: { requires: ['look', 'git_*'], prefers: ['list', 'grep'] },
  deploy: { requires: ['publish'], prefers: [] },
};

function gated(
  options: { names?: readonly string[]; completed?: readonly string[]; exempt?: readonly string[] } = {},
) {
  const { names = ['look', 'publish', 'deploy'], completed = [], exempt = [] } = options;
  const candidates = candidatesOf(names.map((name) => offerTool(name)));
  const { offered, hidden, lifted } = gateDependencies(
    candidates.map((candidate) => ({ ...candidate, reason: 'unfiltered' as const })),
    {
      dependencies: toolDependencies(RULES),
      completed: new Set(completed),
      isExempt: (tool) => exempt.includes(tool),
    },
  );
  return {
    offered: offered.map(({ tool }) => tool.name),
    hidden: hidden.map(({ tool, reason }) => [tool.name, 'missing' in reason ? reason.missing : []]),
    lifted,
  };
}

test('a tool is hidden until all that it requires has succeeded (S001-86, S001-90)', () => {
  expect(gated()).toEqual({
    offered: ['look'],
    hidden: [
      ['publish', ['look', 'git_*']],
      ['deploy', ['publish']],
    ],
    lifted: [],
  });
  expect(gated({ completed: ['look'] }).hidden).toContainEqual(['publish', ['git_*']]);
  expect(gated({ completed: ['look', 'git_log'] }).offered).toEqual(['look', 'publish']);
  expect(gated({ completed: ['look', 'git_log', 'publish'] }).hidden).toEqual([]);
});

test('a tool that is always on or named bypasses the gate (S001-93)', () => {
  expect(gated({ exempt: ['deploy'] }).offered).toEqual(['look', 'deploy']);
});

test('no requirement counts where only tools that are always on would be left (S001-89)', () => {
  expect(gated({ names: ['publish', 'deploy'] })).toEqual({
    offered: ['publish', 'deploy'],
    hidden: [],
    lifted: ['publish', 'deploy'],
  });
  expect(gated({ names: ['look', 'publish'], exempt: ['look'] }).lifted).toEqual(['publish']);
  expect(gated({ names: [] })).toEqual({ offered: [], hidden: [], lifted: [] });
});

test('each preferred tool that has succeeded adds, up to the bound (S001-91)', () => {
  const settings = { boost_per_dep: 0.15, max_total_boost: 0.2 };
  const boost = (...completed: readonly string[]): number =>
    boostFor('publish', { dependencies: toolDependencies(RULES), completed: new Set(completed), settings });
  expect([boost(), boost('list'), boost('list', 'grep'), boost('look')]).toEqual([0, 0.15, 0.2, 0]);
});
