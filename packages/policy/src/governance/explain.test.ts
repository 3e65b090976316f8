import { describe, expect, test } from 'vitest';
import { classifyLine } from '../shell/classify-line.ts';
import { proposeRule } from '../rules/propose-rule.ts';
import { BUILT_IN_RULES } from './built-in-rules.ts';
import { createPolicy } from './create-policy.ts';
import { explain } from './explain.ts';
import { refusedBefore } from './rulings.ts';
import type { Question } from './question.ts';
import { BASH, PATH_CONTEXT, questionOf, settingsOf, write } from './testing/question-builders.ts';

function asked(line: string, changes: Parameters<typeof questionOf>[0] = {}): Question {
  return questionOf({
    tool: BASH,
    line,
    verdict: classifyLine(line, { cwd: PATH_CONTEXT.workspace, ...PATH_CONTEXT }),
    ...changes,
  });
}

function policyOf(value: object) {
  return createPolicy(settingsOf(value), PATH_CONTEXT);
}

const RULES = [
  { id: 'no-publish', deny: { program: 'npm', args: ['publish'] }, because: 'CI publishes' },
  { id: 'install', allow: { program: 'npm', args: ['install', '**'] } },
];

describe('explain', () => {
  test('lists every rule, the matching ones, and the one that decides', () => {
    const { ruling, rules, changes } = explain(
      policyOf({ rules: RULES }),
      asked('npm publish', { mode: 'ALERT' }),
    );
    expect(ruling).toMatchObject({ kind: 'deny', rule: 'no-publish' });
    expect(rules.map(({ rule }) => rule)).toEqual([...Object.keys(BUILT_IN_RULES), 'no-publish', 'install']);
    const spoke = rules.filter(({ hit }) => hit !== 'no').map(({ rule, decides }) => [rule, decides]);
    expect(spoke).toContainEqual(['mode-asks', false]);
    expect(spoke).toContainEqual(['no-publish', true]);
    expect(spoke).not.toContainEqual(['install', false]);
    expect(rules.filter(({ decides }) => decides)).toHaveLength(1);
    expect(changes).toEqual(['change or remove rule "no-publish" in settings']);
  });

  test('says what would change a built-in ruling', () => {
    const refused = refusedBefore('you refused this 3 s ago');
    expect(explain(policyOf({}), asked('ls'), refused)).toMatchObject({
      ruling: refused,
      rules: expect.arrayContaining([
        expect.objectContaining({ rule: 'refused-before', says: 'you refused this 3 s ago', decides: true }),
      ]),
    });
    expect(explain(policyOf({}), asked('npm install zod')).changes).toEqual([
      'an allow rule that names the program and its arguments, or the paths',
    ]);
    expect(explain(policyOf({}), asked('npm install', { mode: 'ALERT' })).changes[0]).toMatch(/^mode NORMAL/);
  });

  test('agrees with the ruling on every line', () => {
    const policy = policyOf({ rules: RULES });
    for (const line of ['ls', 'rm -rf dist', 'sudo ls', 'npm install', 'npm publish', 'cat ../x', 'foo']) {
      const { ruling, rules } = explain(policy, asked(line));
      expect(ruling).toEqual(policy.rule(asked(line)));
      expect(rules.filter(({ decides }) => decides).map(({ rule }) => rule)).toEqual([ruling.rule]);
    }
  });
});

test('explain says how many approvers a rule needs, which rules are untrusted, and what else says the same', () => {
  const { rules } = settingsOf({
    rules: [
      { id: 'two', ask: { program: 'npm' }, approvers: 2 },
      { id: 'one', ask: { program: 'npm', args: ['publish'] } },
      { id: 'free', allow: { program: 'npm', args: ['**'] } },
    ],
  });
  const untrusted = rules.map((rule) => ({ ...rule, isTrusted: rule.ruling !== 'allow' }));
  const policy = createPolicy({ ...settingsOf({}), rules: untrusted }, PATH_CONTEXT);
  const { ruling, rules: steps, changes } = explain(policy, asked('npm publish'));
  expect(ruling).toMatchObject({ kind: 'ask', rule: 'two', approvers: 2 });
  expect(steps.slice(-3).map(({ rule, approvers, hit, says }) => [rule, approvers, hit, says])).toEqual([
    ['two', 2, 'yes', ''],
    ['one', 1, 'yes', ''],
    ['free', 0, 'no', 'not trusted here: signalbox rules trust'],
  ]);
  expect(changes).toEqual([
    'change or remove rule "two" in settings',
    'and rule "one" in settings, which says the same',
  ]);
});

test('explain does not confuse a rule of yours with a built-in one of the same name', () => {
  const rules = [{ id: 'safe-auto', deny: { program: 'ls' } }];
  expect(explain(policyOf({ rules }), asked('ls')).changes).toEqual([
    'change or remove rule "safe-auto" in settings',
  ]);
});

describe('proposeRule', () => {
  const proposed = (question: Question) => proposeRule(question, policyOf({}).rule(question));

  test('is as narrow as the call', () => {
    expect(proposed(asked('npm install zod@4'))).toEqual({
      id: 'npm-install-zod-4',
      allow: { program: 'npm', args: ['install', 'zod@4'] },
    });
    expect(proposed(asked('npm install && touch a'))).toEqual({
      id: 'npm-install-touch-a',
      allow: { line: 'npm install && touch a' },
    });
    expect(proposed(asked("npm install 'a*'"))?.allow).toEqual({ line: "npm install 'a*'" });
    expect(proposed(questionOf({ effects: [write('docs/a.md')] }))).toEqual({
      id: 'write-file-docs-a-md',
      allow: { tool: 'write_file', path: 'docs/a.md' },
    });
  });

  test('lets the same call run, and is a good rule', () => {
    for (const question of [
      asked('npm install zod@4'),
      asked('npm install && touch a'),
      asked("npm install 'a*' ''"),
      asked('unknown-tool --x'),
      questionOf({ effects: [write('docs/a.md')] }),
    ]) {
      expect(policyOf({ rules: [proposed(question)] }).rule(question)).toMatchObject({ kind: 'allow' });
    }
  });

  test('is undefined for what no rule lifts, or what is known only at run time', () => {
    for (const line of [
      'rm -rf dist',
      'npm install $X',
      '$X a && touch a',
      '>/dev/null',
      'touch a $(x)',
      'npm install $(cat a)',
      'npm install > a',
      'ls',
    ])
      expect(proposed(asked(line))).toBeUndefined();
    expect(proposed(asked('npm install', { mode: 'ALERT' }))).toBeUndefined();
    expect(proposed(questionOf({ effects: [write('a*.md')] }))).toBeUndefined();
    expect(proposed(questionOf({ effects: [write('a'), write('b')] }))).toBeUndefined();
    expect(proposed(questionOf({ effects: [{ kind: 'write', path: 'a', scope: 'tree' }] }))).toBeUndefined();
    expect(proposed(questionOf({ effects: [{ kind: 'write-unknown' }] }))).toBeUndefined();
    expect(proposed(questionOf())).toBeUndefined();
  });

  test('has its own name when its words have none', () => {
    expect(proposed(asked('./=='))?.id).toBe('rule');
  });
});
