import type { AgreedHosts, CommandRecord, Effect } from '@signalbox/core';
import { aCommandRecord } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { questionStatsOf, remedyOf } from './question-stats.ts';

const NOTHING: AgreedHosts = { packages: [], remotes: [], localhost: [] };
const NPM: Effect = { kind: 'network', source: 'npm', host: 'registry.npmjs.org' };
const GIT: Effect = { kind: 'network', source: 'git', host: 'github.com' };

function asked(
  line: string,
  status: 'pending' | 'granted' | 'refused' | 'expired',
  {
    effects = [],
    rule = 'warning-asks',
    text = 'installs or removes packages',
  }: {
    effects?: readonly Effect[];
    rule?: string;
    text?: string;
  } = {},
): CommandRecord {
  const base = aCommandRecord();
  return {
    ...base,
    call: { ...base.call, args: { line } },
    title: `${base.call.tool} ${line}`,
    ruling: { kind: 'ask', rule, source: 'built in', reason: 'asks', approvers: 1 },
    verdict: {
      level: 'warning',
      reasons: [{ level: 'warning', code: 'x', text }],
      effects,
      runsRepositoryCode: false,
      composed: false,
    },
    approval: { status } as CommandRecord['approval'],
  };
}

const times = (count: number, make: () => CommandRecord): readonly CommandRecord[] =>
  Array.from({ length: count }, make);

test('approvals are counted by reason, with their outcomes', () => {
  const rm = { rule: 'dangerous-asks', text: 'deletes recursively: dist' };
  const records = [
    asked('npm ci', 'granted', { effects: [NPM] }),
    asked('npm i zod', 'expired', { effects: [NPM] }),
    asked('rm -rf dist', 'refused', rm),
    asked('rm -rf lib', 'granted', { ...rm, text: 'deletes recursively: lib' }),
    asked('rm -rf out', 'granted', { ...rm, text: 'deletes recursively: out' }),
    { ...asked('npm i left-pad', 'pending', { effects: [NPM] }), state: 'done' as const },
    { ...asked('npm i ms', 'pending', { effects: [NPM] }), state: 'awaiting_approval' as const },
    { ...aCommandRecord(), approval: null },
  ];
  expect(questionStatsOf(records)).toEqual([
    {
      rule: 'warning-asks',
      reason: 'installs or removes packages',
      asked: 4,
      approved: 1,
      denied: 0,
      expired: 1,
      cancelled: 1,
    },
    {
      rule: 'dangerous-asks',
      reason: 'deletes recursively',
      asked: 3,
      approved: 2,
      denied: 1,
      expired: 0,
      cancelled: 0,
    },
  ]);
});

test('the suggestion is the one host list or rule that would have avoided the most approvals', () => {
  const records = [
    ...times(3, () => asked('npm ci', 'granted', { effects: [NPM] })),
    ...times(2, () => asked('git fetch', 'granted', { effects: [GIT] })),
    ...times(2, () => asked('shopgen', 'granted', { rule: 'unknown-program-asks' })),
    ...times(9, () => asked('rm -rf dist', 'granted', { rule: 'dangerous-asks' })),
  ];
  const packages = { kind: 'network', profile: 'packages', saves: 3, asked: 16, example: 'npm ci' };
  expect(remedyOf(records, NOTHING)).toEqual(packages);
  // Hosts agreed to since are not suggested again.
  const since = { ...NOTHING, packages: ['registry.npmjs.org'] };
  expect(remedyOf(records, since)).toMatchObject({ profile: 'remotes', saves: 2, example: 'git fetch' });
  const both = { ...since, remotes: ['github.com'] };
  expect(remedyOf(records, both)).toEqual({ kind: 'rule', line: 'shopgen', saves: 2, asked: 16 });
});

test('there is no suggestion for rules that always ask, for unknown hosts, or for a single approval', () => {
  expect(remedyOf([], NOTHING)).toBeNull();
  expect(remedyOf([asked('npm ci', 'granted', { effects: [NPM] })], NOTHING)).toBeNull();
  const unknown: Effect = { kind: 'network' };
  const mixed = times(4, () => asked('npm ci && curl $X', 'granted', { effects: [NPM, unknown] }));
  expect(remedyOf(mixed, NOTHING)).toBeNull();
  expect(
    remedyOf(
      times(4, () => asked('rm -rf x', 'granted', { rule: 'dangerous-asks' })),
      NOTHING,
    ),
  ).toBeNull();
});
