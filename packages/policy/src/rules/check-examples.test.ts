import { parseSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { settingsOf } from '../governance/testing/question-builders.ts';
import { checkExamples, checkRules } from './check-examples.ts';

function problemsOf(...rules: readonly object[]): readonly string[] {
  const parsed = parseSettings({ rules });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return checkRules(parsed.settings.rules).map(({ path, message }) => `${path.join('.')} ${message}`);
}

test('examples that hold are no problem', () => {
  expect(
    problemsOf(
      {
        id: 'no-publish',
        deny: { program: 'npm', args: ['publish'] },
        examples: {
          match: ['npm publish', 'npm $X'],
          not_match: ['npm run publish'],
          deny: ['cd a && npm publish'],
          ask: ['npm $X'],
          allow: ['git status'],
        },
      },
      {
        id: 'install',
        allow: { program: 'npm', args: ['install', '**'] },
        examples: {
          match: ['npm install zod'],
          not_match: ['npm install x > y'],
          allow: ['npm install zod'],
        },
      },
      {
        id: 'docs',
        allow: { tool: 'write_file', path: 'docs/**' },
        examples: {
          allow: ['file.write docs/a.md'],
          ask: ['write_file src/a.ts'],
          not_match: ['write_file a.md'],
        },
      },
      {
        id: 'careful',
        ask: { effect: 'network' },
        modes: ['ALERT'],
        trust: ['trusted'],
        examples: { match: ['curl https://example.com'], ask: ['curl https://example.com'] },
      },
      { id: 'ended', deny: { line: 'x' }, expires: '2020-01-01', examples: { deny: ['x'] } },
    ),
  ).toEqual([]);
});

test('a failing example is reported with its position', () => {
  expect(
    problemsOf(
      { id: 'a', deny: { line: 'x' }, examples: { match: ['x', 'y'] } },
      { id: 'b', deny: { line: 'x' }, examples: { not_match: ['x'] } },
      { id: 'c', allow: { program: 'rm', args: ['**'] }, examples: { allow: ['rm -rf dist'] } },
    ),
  ).toEqual([
    'rules.0.examples.match.1 says that the rule matches "y", but it does not',
    'rules.1.examples.not_match.0 says that the rule does not match "x", but it does',
    'rules.2.examples.allow.0 says allow for "rm -rf dist", but the policy says ask by dangerous-asks',
  ]);
});

test('an invalid pattern is reported with its position', () => {
  expect(problemsOf({ id: 'a', deny: { pattern: String.raw`(a)\1` } })).toEqual([
    'rules.0.deny.pattern is not a valid pattern: invalid escape sequence: `\\1`',
  ]);
});

test('a failing example is abbreviated', () => {
  const [rule] = settingsOf({
    rules: [{ id: 'x', deny: { program: 'npm' }, examples: { match: [`echo ${'a'.repeat(100)}`] } }],
  }).rules;
  const [problem] = rule === undefined ? [] : checkRules([rule]);
  expect(problem?.message).toMatch(/^says that the rule matches "echo a{54}…", but it does not$/);
});

test.for([
  ['write_file', 'no'],
  ['read_file docs/a', 'yes'],
  ['delete_file docs/a', 'yes'],
  ['Strange-Tool docs/a', 'yes'],
])('an example of a rule on files names a tool and a path: %s', ([text = '', hit]) => {
  const [rule] = settingsOf({ rules: [{ id: 'x', deny: { path: 'docs' } }] }).rules;
  if (rule === undefined) throw new Error('no rule');
  const expects = hit === 'yes' ? 'match' : 'not_match';
  const checked = checkExamples({ ...rule, examples: { ...rule.examples, [expects]: [text] } });
  expect(checked.map(({ passes }) => passes)).toEqual([true]);
});
