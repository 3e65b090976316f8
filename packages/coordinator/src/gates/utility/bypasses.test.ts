import type { Effect, Verdict } from '@signalbox/core';
import { aCall, aCallContext, aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { bypasses } from './bypasses.ts';

const READ: Effect = { kind: 'read', path: 'a.ts', scope: 'file' };

function passes(
  overrides: {
    tool?: string;
    line?: string;
    task?: string;
    effects?: readonly Effect[];
    exempt?: string[];
    context?: Parameters<typeof aCallContext>[0];
  } = {},
): boolean {
  const { tool = 'bash', line = 'cat a.ts', task, effects = [READ], exempt = [], context = {} } = overrides;
  const verdict: Verdict = {
    level: 'safe',
    reasons: [],
    effects: [...effects],
    runsRepositoryCode: false,
    composed: false,
  };
  const call = {
    call: aCall({ tool, args: { line } }),
    verdict,
    context: aCallContext({ ...context, ...(task === undefined ? {} : { task }) }),
  };
  return bypasses(call, { tool: { name: tool, isExempt: false }, line, exempt });
}

test('a call of a model that only reads is judged', () => {
  expect(passes()).toBe(false);
});

test.each(['invoke_skill', 'load_skill', 'memory_save'])(
  '%s is exempt, whatever the settings list (S001-115)',
  (tool) => {
    expect(passes({ tool, exempt: [] })).toBe(true);
  },
);

test('the settings exempt tools by name and by pattern', () => {
  expect(passes({ exempt: ['bash'] })).toBe(true);
  expect(passes({ exempt: ['ba*'] })).toBe(true);
  expect(passes({ exempt: ['read_file'] })).toBe(false);
});

test.each<Effect>([
  { kind: 'write', path: 'a.ts', scope: 'file' },
  { kind: 'delete', path: 'a.ts', scope: 'file' },
  { kind: 'write-unknown' },
  { kind: 'network', host: 'example.com' },
  { kind: 'process', program: 'x' },
  { kind: 'repository-code' },
  { kind: 'resource', resource: 'git:index', access: 'write' },
])('a call with the effect $kind is not judged (S001-115)', (effect) => {
  expect(passes({ effects: [READ, effect] })).toBe(true);
});

test('a call without a known effect is not judged', () => {
  expect(passes({ effects: [] })).toBe(true);
});

test('a line of a person, and one that checks the work, is not judged (S001-110, X-28)', () => {
  expect(passes({ context: { provider: aProviderId('you') } })).toBe(true);
  expect(passes({ context: { phase: 'verifier' } })).toBe(true);
});

test.each([
  ['Run `cat a.ts` first', true],
  ['Run cat   a.ts.', true],
  ['Use bash for it', false],
  ['cat a.tsx', false],
  ['concat a.ts', false],
  ['', false],
])('the task "%s" asks for the line: %s', (task, isAsked) => {
  expect(passes({ task })).toBe(isAsked);
});
