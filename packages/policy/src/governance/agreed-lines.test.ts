import type { Effect } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { BASH, policyOf, questionOf, write } from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';

const resource = (name: string): Effect => ({ kind: 'resource', resource: name, access: 'write' });

describe('a line that reaches hosts', () => {
  const npm = (host?: string): Effect => ({
    kind: 'network',
    source: 'npm',
    ...(host === undefined ? {} : { host }),
  });
  const agreed = { packages: ['registry.npmjs.org'], remotes: ['github.com'] };
  const ruling = (effects: readonly Effect[], network: object = { agreed }) =>
    policyOf({ sandbox: { network } }).rule(
      questionOf({ tool: BASH, level: 'warning', reversible: true, effects }),
    );

  test('runs when it reaches only agreed hosts and changes only the workspace', () => {
    const effects = [npm('registry.npmjs.org'), write('package.json'), resource('npm-cache')];
    expect(ruling(effects)).toMatchObject({ kind: 'allow', rule: 'agreed-auto' });
    expect(ruling([{ kind: 'network', host: 'github.com' }])).toMatchObject({ rule: 'agreed-auto' });
  });

  test.for<[string, readonly Effect[], string]>([
    ['another host', [npm('registry.npmjs.org'), npm('evil.example')], 'reaches evil.example'],
    ['a host that was agreed to for something else', [npm('github.com')], 'reaches github.com'],
    ['unknown hosts', [npm('registry.npmjs.org'), npm()], 'reaches unknown hosts'],
    [
      'many',
      Array.from({ length: 7 }, (_, at) => npm(`h${at}.example`)),
      'reaches h0.example, h1.example, h2.example, h3.example, h4.example and 2 more',
    ],
  ])('needs approval for %s, and names the hosts (U-B11)', ([, effects, reported]) => {
    expect(ruling(effects)).toMatchObject({
      kind: 'ask',
      rule: 'warning-asks',
      reason: `Needs approval: because the test says so; ${reported}`,
    });
  });

  test('needs approval without a gate to enforce the hosts, and when every line has the network', () => {
    const effects = [npm('registry.npmjs.org')];
    expect(ruling(effects, { agreed, through: 'machine' })).toMatchObject({ kind: 'ask' });
    expect(ruling(effects, { agreed, commands: 'all', hosts: ['*'] })).toMatchObject({ kind: 'ask' });
  });
});

test('needs approval when it discards the work of everybody here', () => {
  const question = questionOf({ tool: BASH, level: 'warning', reversible: true, effects: [write('a')] });
  const reasons = [{ level: 'warning', code: 'takes-work', text: 'moves the work of everybody' } as const];
  const stash = { ...question, verdict: { ...question.verdict, reasons } };
  for (const approval of [
    {},
    { prompt_on_warning: false },
    { approval_mode: 'allow_all' },
    { file_writes: 'never' },
  ])
    expect(ruled(policyOf({ approval }), stash)).toBe('ask takes-work-asks');
  const listed = { agents: { tool_execution: { auto_approve_tools: ['bash'] } } };
  expect(ruled(policyOf(listed), stash)).toBe('ask takes-work-asks');
  const own = policyOf({ rules: [{ id: 'own', allow: { line: 'git stash' } }] });
  expect(ruled(own, { ...stash, line: 'git stash' })).toBe('allow own');
});

test('a service of this machine in the settings is agreed to, and no other port (S003-92)', () => {
  const policy = policyOf({ sandbox: { network: { services: ['127.0.0.1:5432'] } } });
  const reaching = (host: string): string =>
    ruled(
      policy,
      questionOf({ tool: BASH, level: 'warning', reversible: true, effects: [{ kind: 'network', host }] }),
    );
  expect([reaching('localhost:5432'), reaching('localhost:5433'), reaching('db.example')]).toEqual([
    'allow agreed-auto',
    'ask warning-asks',
    'ask warning-asks',
  ]);
});
