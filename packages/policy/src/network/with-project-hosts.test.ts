import type { Effect, Verdict } from '@signalbox/core';
import { expect, test } from 'vitest';
import { withProjectHosts } from './with-project-hosts.ts';

const verdict = (...effects: readonly Effect[]): Verdict => ({
  level: 'warning',
  reasons: [],
  effects,
  runsRepositoryCode: false,
  composed: false,
});
const hostsOf = (source: string): readonly string[] => (source === 'npm' ? ['a.example', 'b.example'] : []);

test('access to the project’s registries becomes access to each host of them', () => {
  const other: Effect = { kind: 'network', host: 'c.example' };
  expect(withProjectHosts(verdict({ kind: 'network', source: 'npm' }, other), hostsOf).effects).toEqual([
    { kind: 'network', source: 'npm', host: 'a.example' },
    { kind: 'network', source: 'npm', host: 'b.example' },
    other,
  ]);
});

test('when the project names none they stay unknown, and other verdicts are unchanged', () => {
  const open = verdict({ kind: 'network', source: 'git' });
  expect(withProjectHosts(open, hostsOf)).toEqual(open);
  const offline = verdict({ kind: 'write-unknown' });
  expect(withProjectHosts(offline, hostsOf)).toBe(offline);
});
