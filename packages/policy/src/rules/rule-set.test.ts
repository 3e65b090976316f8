import { describe, expect, test } from 'vitest';
import { createPolicy } from '../governance/create-policy.ts';
import type { Question } from '../governance/question.ts';
import {
  BASH,
  PATH_CONTEXT,
  questionOf,
  read,
  READ_FILE,
  settingsOf,
  toolOf,
  write,
} from '../governance/testing/question-builders.ts';
import { type Changes, lineQuestion, rule } from './testing/rule-questions.ts';

const publish = { program: 'npm', args: ['publish'] };
const install = { program: 'npm', args: ['install', '**'] };

describe('a deny rule', () => {
  const rules = [{ id: 'no-publish', deny: publish, because: 'CI publishes' }];

  test.for([
    'npm publish',
    'cd a && npm publish --tag next',
    '/usr/bin/npm publish',
    'timeout 5 npm publish',
    'n"p"m publish',
    'echo $(npm publish)',
  ])('denies %j', (line) => {
    expect(rule(rules, lineQuestion(line))).toBe('deny no-publish');
  });

  test('names itself, its position and its reason', () => {
    const own = settingsOf({ rules }).rules.map((one) => ({ ...one, source: 'signalbox.yaml:7' }));
    const policy = createPolicy({ ...settingsOf({}), rules: own }, PATH_CONTEXT);
    expect(policy.rule(lineQuestion('npm publish'))).toMatchObject({
      rule: 'no-publish',
      source: 'signalbox.yaml:7',
      reason: 'CI publishes',
      outcome: 'denied',
      failure: { message: 'Cannot call bash: rule "no-publish" (signalbox.yaml:7) denies it: CI publishes' },
    });
  });

  test('wins over an allow and an ask of any layer, and over allow_all', () => {
    const all = [{ id: 'a', allow: publish }, { id: 'b', ask: publish }, ...rules];
    expect(rule(all, lineQuestion('npm publish'), { approval: { approval_mode: 'allow_all' } })).toBe(
      'deny no-publish',
    );
  });

  test('asks when a match is known only at run time, and without a given line', () => {
    const loose = { approval: { approval_mode: 'allow_all' } };
    expect(rule(rules, questionOf({ tool: BASH, level: 'safe', line: 'npm $X' }), loose)).toBe(
      'ask no-publish',
    );
    for (const line of ['$X publish', 'npm "', 'sh -c "$X"', 'echo publish | xargs npm'])
      expect(rule(rules, questionOf({ tool: BASH, level: 'safe', line }), loose)).toBe('ask no-publish');
    const shell = { ...BASH, shellLine: () => ({ line: 'npm publish' }) };
    const { line: _line, ...lineless } = questionOf({ tool: shell, level: 'safe' });
    expect(rule(rules, lineless, loose)).toBe('ask no-publish');
  });

  test('does not match other programs and words', () => {
    for (const line of ['npm publishx', 'npm run publish', 'git commit -m publish', 'sudoku'])
      expect(rule(rules, lineQuestion(line))).not.toMatch(/no-publish/);
  });
});

describe('an ask rule', () => {
  test('asks about calls that would run, under allow_all too, and no allow lifts it (C2)', () => {
    const rules = [
      { id: 'ask-network', ask: { effect: 'network', host: 'example.com' } },
      { id: 'all-curl', allow: { program: 'curl' } },
    ];
    const loose = { approval: { approval_mode: 'allow_all' } };
    expect(rule(rules, lineQuestion('curl https://api.example.com/x'), loose)).toBe('ask ask-network');
    expect(rule(rules, lineQuestion('curl https://notexample.com/x'), loose)).toBe('allow allow-all');
  });

  test('searches a pattern in the line as written', () => {
    const rules = [{ id: 'sql', ask: { pattern: String.raw`(?i)\bdrop\s+table\b` } }];
    expect(rule(rules, lineQuestion('echo "DROP  TABLE users"'))).toBe('ask sql');
    expect(rule(rules, lineQuestion('echo raindrop table'))).toBe('allow safe-auto');
  });

  test('asks about files of any tool, and of one tool', () => {
    const rules = [
      { id: 'ci', ask: { path: '.github/**' } },
      { id: 'docs', ask: { tool: 'file.read', path: 'docs' } },
    ];
    expect(rule(rules, questionOf({ effects: [write('.github/workflows/ci.yml')] }))).toBe('ask ci');
    expect(rule(rules, questionOf({ tool: READ_FILE, effects: [read('.GitHub/x')] }))).toBe('ask ci');
    expect(rule(rules, questionOf({ tool: READ_FILE, effects: [read('docs/a.md')] }))).toBe('ask docs');
    expect(rule(rules, questionOf({ tool: READ_FILE, effects: [read('src/a.ts')] }))).toBe(
      'allow listed-auto',
    );
  });
});

describe('an allow rule', () => {
  const rules = [
    { id: 'install', allow: install },
    { id: 'cd', allow: { program: 'cd', args: ['*'] } },
  ];

  test('lifts approvals at level warning', () => {
    expect(rule([], lineQuestion('npm install zod'))).toBe('ask warning-asks');
    expect(rule(rules, lineQuestion('npm install zod'))).toBe('allow install');
  });

  test('must match every command of a chain', () => {
    expect(rule(rules, lineQuestion('cd a && npm install zod'))).toBe('allow cd');
    expect(rule(rules, lineQuestion('npm install zod && touch x'))).toBe('ask warning-asks');
  });

  test.for([
    'npm install zod > a.txt',
    'npm install "$(cat a)"',
    'PATH=. npm install',
    './npm install',
    'timeout 5 npm install',
    'npm -g install',
    'npm install &',
  ])('does not match %j', (line) => {
    expect(rule(rules, lineQuestion(line))).toMatch(/^(?:ask|deny) /);
  });

  test('lifts an unknown program, when it names it (X-05)', () => {
    expect(rule([{ id: 'mine', allow: { program: 'mytool' } }], lineQuestion('mytool x'))).toBe('allow mine');
  });

  test('never lifts a dangerous or blocked call, a mode, a path, distrust, or `approval_mode: prompt`', () => {
    const all = [
      { id: 'all', allow: { program: 'rm' } },
      { id: 'sudo', allow: { program: 'sudo' } },
      ...rules,
    ];
    expect(rule(all, lineQuestion('rm -rf dist'))).toBe('ask dangerous-asks');
    expect(rule(all, lineQuestion('sudo ls'))).toMatch(/^deny /);
    expect(rule(all, lineQuestion('rm ../x'))).toBe('deny path-outside');
    expect(rule(all, lineQuestion('npm install', { mode: 'ALERT' }))).toBe('ask mode-asks');
    expect(rule(all, lineQuestion('npm install', { mode: 'LOCKDOWN' }))).toMatch(/^deny /);
    expect(rule(all, lineQuestion('npm install', { context: { trust: 'untrusted' } }))).toBe(
      'ask untrusted-asks',
    );
    expect(rule(all, lineQuestion('npm install'), { approval: { approval_mode: 'prompt' } })).toBe(
      'ask approval-asks-all',
    );
  });

  test('is not named when nothing had to be lifted', () => {
    expect(rule([{ id: 'ls', allow: { program: 'ls' } }], lineQuestion('ls'))).toBe('allow safe-auto');
  });

  test('on a line allows only that line', () => {
    const line = [{ id: 'line', allow: { line: 'npm install zod' } }];
    expect(rule(line, lineQuestion(' npm install zod '))).toBe('allow line');
    expect(rule(line, lineQuestion('npm install zod@4'))).toBe('ask warning-asks');
  });

  test('on files allows a tool whose files are all there, and no shell line', () => {
    const docs = [{ id: 'docs', allow: { tool: 'write_file', path: 'docs/**' } }];
    expect(rule(docs, questionOf({ effects: [write('docs/a.md')] }))).toBe('allow docs');
    expect(rule(docs, questionOf({ effects: [write('docs/a.md'), write('src/a.ts')] }))).toBe(
      'ask warning-asks',
    );
    expect(rule(docs, questionOf({ effects: [write('docs/../src/a.ts')] }))).toBe('ask warning-asks');
    expect(rule(docs, questionOf({ effects: [write('docs/a.md'), { kind: 'network' }] }))).toBe(
      'ask warning-asks',
    );
    expect(
      rule(docs, questionOf({ tool: toolOf({ name: 'delete_file' }), effects: [write('docs/a.md')] })),
    ).toBe('ask warning-asks');
    const some = questionOf({ effects: [{ kind: 'write', path: 'docs/*.md', scope: 'glob' }] });
    expect(rule(docs, some)).toMatch(/^ask /);
    const any = [{ id: 'docs', allow: { path: 'docs/**' } }];
    expect(rule(any, lineQuestion('touch docs/a.md'))).toBe('ask warning-asks');
  });

  test('of a shared file does nothing until trusted', () => {
    const own = settingsOf({ rules }).rules.map((one) => ({ ...one, isTrusted: false }));
    const policy = createPolicy({ ...settingsOf({}), rules: own }, PATH_CONTEXT);
    expect(policy.rule(lineQuestion('npm install'))).toMatchObject({ kind: 'ask' });
  });
});

describe('a rule applies only', () => {
  const question = lineQuestion('npm publish');
  const withRule = (more: object, changes: Changes = {}) =>
    rule([{ id: 'x', deny: publish, ...more }], lineQuestion('npm publish', changes)) === 'deny x';

  test.for<[object, Changes]>([
    [{ modes: ['ALERT'] }, { mode: 'ALERT' }],
    [{ providers: ['deepseek'] }, { context: { provider: 'deepseek' as never } }],
    [{ trust: ['untrusted'] }, { context: { trust: 'untrusted' } }],
    [{ phases: ['planner'] }, { context: { phase: 'planner' } }],
    [{ tools: ['run_*'] }, { tool: { ...BASH, name: 'run_tests' } }],
  ])('under its circumstances: %j', ([circumstances, fitting]) => {
    expect(withRule(circumstances)).toBe(false);
    expect(withRule(circumstances, fitting)).toBe(true);
  });

  test('until its end; without a clock an allow has ended and a deny has not', () => {
    const expires = '2026-06-01';
    const deny = settingsOf({ rules: [{ id: 'x', deny: publish, expires }] });
    const allow = settingsOf({ rules: [{ id: 'x', allow: install, expires }] });
    const at = (text: string) => ({ now: () => Date.parse(text) });
    const ruled = (settings: typeof deny, asked: Question, clock?: { now: () => number }) =>
      createPolicy(settings, PATH_CONTEXT, clock).rule(asked).rule === 'x';
    expect(ruled(deny, question, at('2026-06-01T23:59:59Z'))).toBe(true);
    expect(ruled(deny, question, at('2026-06-02T00:00:00Z'))).toBe(false);
    expect(ruled(deny, question)).toBe(true);
    const asked = lineQuestion('npm install');
    expect(ruled(allow, asked, at('2026-06-01T23:59:59Z'))).toBe(true);
    expect(ruled(allow, asked, at('2026-06-02T00:00:00Z'))).toBe(false);
    expect(ruled(allow, asked)).toBe(false);
  });
});

test('a rule expires while the policy is in use, without a reload (C10)', () => {
  let now = Date.parse('2026-06-01T12:00:00Z');
  const rules = [
    { id: 'no-publish', deny: publish, expires: '2026-06-01T12:00:01Z' },
    { id: 'install', allow: install, expires: '2026-06-01T12:00:02Z' },
  ];
  const policy = createPolicy(settingsOf({ rules }), PATH_CONTEXT, { now: () => now });
  const { version } = policy;
  const rulings = () =>
    ['npm publish', 'npm install'].map((line) => {
      const ruling = policy.rule(lineQuestion(line));
      return `${ruling.kind} ${ruling.rule}`;
    });
  expect(rulings()).toEqual(['deny no-publish', 'allow install']);
  now += 1000;
  expect(rulings()).toEqual([expect.stringMatching(/^ask (?!no-publish)/), 'allow install']);
  now += 1000;
  expect(rulings()[1]).toBe('ask warning-asks');
  expect(policy.version).toBe(version);
});

test('a rule that can’t be compiled holds everything back', () => {
  const own = settingsOf({ rules: [{ id: 'broken', deny: { pattern: '(?=x)' } }] });
  const policy = createPolicy(
    { ...own, approval: { ...own.approval, approval_mode: 'allow_all' } },
    PATH_CONTEXT,
  );
  expect(policy.rule(lineQuestion('ls'))).toMatchObject({ kind: 'ask', rule: 'broken' });
});

test('a moved rule keeps the version of the policy, a changed one does not', () => {
  const [own] = settingsOf({ rules: [{ id: 'a', deny: publish }] }).rules;
  const version = (changes: object) =>
    createPolicy(
      { ...settingsOf({}), rules: own === undefined ? [] : [{ ...own, ...changes }] },
      PATH_CONTEXT,
    ).version;
  expect(version({ source: 'x:9', at: 3 })).toBe(version({}));
  expect(version({ ruling: 'ask' })).not.toBe(version({}));
  expect(version({})).not.toBe(createPolicy(settingsOf({}), PATH_CONTEXT).version);
});

test('a rule that asks may need two approvers, also when another rule asks one', () => {
  const rules = [
    { id: 'no-tag', deny: { program: 'npm', args: ['publish', '--tag'] } },
    { id: 'look', ask: { program: 'npm' } },
    { id: 'two-publish', ask: { program: 'npm', args: ['publish'] }, approvers: 2 },
  ];
  const policy = createPolicy(settingsOf({ rules }), PATH_CONTEXT);
  const asks = (line: string, changes = {}) => policy.rule(lineQuestion(line, changes));
  expect(asks('npm test')).toMatchObject({ kind: 'ask', rule: 'look', approvers: 1 });
  const two = { kind: 'ask', rule: 'two-publish', approvers: 2 };
  expect(asks('npm publish')).toMatchObject(two);
  // An uncertain match, a dangerous call or the mode needs one; the rule still needs two.
  expect(asks('npm publish $X')).toMatchObject(two);
  expect(asks('npm publish && rm -rf build', { mode: 'ALERT' })).toMatchObject(two);
  expect(asks('npm publish --tag x')).toMatchObject({ kind: 'deny', rule: 'no-tag' });
});
