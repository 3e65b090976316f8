import { expect, test } from 'vitest';
import { createPolicy } from '../governance/create-policy.ts';
import { BASH, PATH_CONTEXT, questionOf, settingsOf } from '../governance/testing/question-builders.ts';
import { classifyLine } from '../shell/classify-line.ts';
import { lintRules } from './lint-rules.ts';
import { replay } from './replay.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');

function warnings(...rules: readonly object[]): readonly string[] {
  return lintRules(settingsOf({ rules }), { tools: ['bash', 'read_file', 'write_file'], now: NOW }).map(
    ({ kind, rule, message }) => `${kind} ${rule}: ${message}`,
  );
}

const publish = { program: 'npm', args: ['publish'] };
const tried = { examples: { match: ['npm publish'] } };

test('an untrusted rule is reported, and judged as if it were trusted', () => {
  const allow = {
    id: 'a',
    allow: { program: 'npm', args: ['install'] },
    examples: { match: ['npm install'] },
  };
  const settings = settingsOf({ rules: [allow] });
  const rules = settings.rules.map((rule) => ({ ...rule, isTrusted: false }));
  expect(lintRules({ ...settings, rules }, { tools: [], now: NOW }).map(({ kind }) => kind)).toEqual([
    'untrusted',
  ]);
});

test('a rule that decides its own examples is no warning', () => {
  expect(warnings({ id: 'a', deny: publish, ...tried })).toEqual([]);
});

test('a rule that never decides is reported with the one that does', () => {
  expect(
    warnings(
      { id: 'all-npm', deny: { program: 'npm' }, examples: { match: ['npm x'] } },
      { id: 'some', ask: publish, ...tried },
    ),
  ).toEqual(['shadowed some: never decides: rule "all-npm" (settings) decides its examples (deny)']);
  expect(
    warnings({
      id: 'rm',
      allow: { program: 'rm', args: ['-rf', 'dist'] },
      examples: { match: ['rm -rf dist'] },
    }),
  ).toEqual(['dead rm: never decides: its examples are decided by the built-in rule "dangerous-asks" (ask)']);
});

test('ended, contradicting, untested rules and unknown tools are reported', () => {
  expect(warnings({ id: 'a', deny: publish, expires: '2026-11-01', ...tried })).toEqual([
    'ended a: expired on 2026-11-02 and has no effect',
  ]);
  expect(
    warnings({ id: 'a', deny: publish, ...tried }, { id: 'b', ask: publish, modes: ['ALERT'], ...tried }),
  ).toEqual(['shadowed b: never decides: rule "a" (settings) decides its examples (deny)']);
  expect(warnings({ id: 'a', deny: publish, ...tried }, { id: 'b', ask: publish, ...tried })[0]).toBe(
    'contradicts a: says deny where rule "b" (settings) says ask',
  );
  expect(warnings({ id: 'a', deny: publish })).toEqual([
    'untried a: has no example of a match, so it is untested',
  ]);
  expect(
    warnings({
      id: 'a',
      ask: { tool: 'wrte_file', path: 'x' },
      tools: ['git_*'],
      examples: { match: ['wrte_file x'] },
    }),
  ).toEqual([
    'unknown-tool a: names tool "git_*", which does not exist',
    'unknown-tool a: names tool "wrte_file", which does not exist',
    'dead a: never decides: its examples are decided by the built-in rule "warning-asks" (ask)',
  ]);
});

test('a contradicting rule is reported with the next of each other ruling', () => {
  const rules = ['deny', 'ask', 'ask', 'allow', 'deny'].map((ruling, at) => ({
    id: `r${at}`,
    [ruling]: publish,
    ...tried,
  }));
  expect(warnings(...rules).filter((text) => text.startsWith('contradicts'))).toEqual([
    'contradicts r0: says deny where rule "r1" (settings) says ask',
    'contradicts r0: says deny where rule "r3" (settings) says allow',
    'contradicts r1: says ask where rule "r3" (settings) says allow',
    'contradicts r1: says ask where rule "r4" (settings) says deny',
    'contradicts r2: says ask where rule "r3" (settings) says allow',
    'contradicts r2: says ask where rule "r4" (settings) says deny',
    'contradicts r3: says allow where rule "r4" (settings) says deny',
  ]);
});

test('replay reports where a draft decides otherwise, and in which direction', () => {
  const recorded = ['ls', 'npm publish', 'npm install', 'rm -rf dist'].map((line) => ({
    id: line,
    question: questionOf({
      tool: BASH,
      line,
      verdict: classifyLine(line, { cwd: PATH_CONTEXT.workspace, ...PATH_CONTEXT }),
    }),
  }));
  const current = createPolicy(settingsOf({}), PATH_CONTEXT);
  const draft = createPolicy(
    settingsOf({
      rules: [
        { id: 'no-publish', deny: publish },
        { id: 'install', allow: { program: 'npm', args: ['install'] } },
      ],
    }),
    PATH_CONTEXT,
  );
  const { same, changed } = replay(recorded, { current, draft });
  expect(same).toBe(2);
  expect(changed.map(({ id, was, now, turn }) => [id, was.kind, now.kind, turn])).toEqual([
    ['npm publish', 'ask', 'deny', 'stricter'],
    ['npm install', 'ask', 'allow', 'looser'],
  ]);
  expect(replay(recorded, { current, draft: current })).toEqual({ same: 4, changed: [] });
});
