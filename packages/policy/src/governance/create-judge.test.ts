import { Ruling, Verdict } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { classifyLine } from '../shell/classify-line.ts';
import { createJudge } from './create-judge.ts';
import { BASH, policyOf, questionOf } from './testing/question-builders.ts';

const RULES = [
  { id: 'no-publish', deny: { program: 'npm', args: ['publish', '**'] }, because: 'CI publishes' },
  { id: 'install', allow: { program: 'npm', args: ['install', '**'] } },
];

describe('createJudge', () => {
  test('gives the ruling, its rule and the verdict of a line (S003-32)', () => {
    const { ruling, verdict } = createJudge({ rules: RULES }).judge('git status && npm publish');
    expect(ruling).toMatchObject({
      kind: 'deny',
      rule: 'no-publish',
      source: 'settings',
      reason: 'CI publishes',
    });
    expect(verdict).toEqual(classifyLine('git status && npm publish', { cwd: '/workspace' }));
  });

  test.for([
    ['git status', 'allow', 'safe-auto'],
    ['npm install zod', 'allow', 'install'],
    ['npm ci', 'ask', 'warning-asks'],
    ['git push --force', 'ask', 'dangerous-asks'],
    ['sudo id', 'deny', 'blocked-never'],
  ] as const)('%s: %s by %s', ([line, kind, rule]) => {
    expect(createJudge({ rules: RULES }).judge(line).ruling).toMatchObject({ kind, rule });
  });

  test('asks about a line over 16 KiB', () => {
    const { ruling, verdict } = createJudge().judge(`echo ${'x'.repeat(16 * 1024)}`);
    expect([verdict.level, ruling.kind, ruling.rule]).toEqual(['dangerous', 'ask', 'dangerous-asks']);
  });

  test('judges by the built-in rules alone without options', () => {
    expect(createJudge().judge('npm install zod').ruling).toMatchObject({
      kind: 'ask',
      rule: 'warning-asks',
    });
  });

  test.for([
    ['half a surrogate pair', 'git status \ud800'],
    ['half a surrogate pair in quotes', 'echo "\udc00"'],
    ['100,000 parentheses', '('.repeat(100_000)],
    ['100,000 matching parentheses', `${'('.repeat(100_000)}ls${')'.repeat(100_000)}`],
    ['100,000 substitutions', '$('.repeat(100_000)],
    ['100,000 quotes', '"'.repeat(100_000)],
    ['100,000 quotes around substitutions', '"$('.repeat(100_000)],
    ['100,000 here-documents', 'cat <<E\n'.repeat(100_000)],
    ['as many parentheses as a line may have', '('.repeat(16_384)],
    ['as many substitutions as a line may have', '$('.repeat(8192)],
    ['as many quotes as a line may have', '"'.repeat(16_383)],
    ['as many here-documents as a line may have', 'a<<E\n'.repeat(3276)],
  ])('does not allow %s, whatever the rules', ([, line = '']) => {
    const { judge } = createJudge({ rules: [...RULES, { id: 'x', ask: { pattern: 'x+y' } }] });
    const { ruling, verdict } = judge(line);
    expect(Verdict.safeParse(verdict).error).toBeUndefined();
    expect(Ruling.safeParse(ruling).error).toBeUndefined();
    expect([verdict.level, ruling.kind]).not.toContain('safe');
    expect(ruling.kind).toBe('ask');
  });

  test('answers as the policy does for a call of bash', () => {
    const judge = createJudge({
      rules: RULES,
      workspace: '/home/ana/shop',
      home: '/home/ana',
      provider: 'openai',
    });
    const policy = policyOf({ rules: RULES });
    for (const line of [
      'ls',
      'npm publish',
      'npm install',
      'cat ~/notes',
      'cat .env',
      'make',
      'rm -rf src',
    ]) {
      const verdict = classifyLine(line, {
        cwd: '/home/ana/shop',
        workspace: '/home/ana/shop',
        home: '/home/ana',
      });
      expect(judge.judge(line)).toEqual({
        ruling: policy.rule(questionOf({ tool: BASH, line, verdict })),
        verdict,
      });
    }
  });

  test('judges by the mode', () => {
    const rulingIn = (mode: 'ALERT' | 'LOCKDOWN') => createJudge({ mode }).judge('touch a').ruling;
    expect(rulingIn('ALERT')).toMatchObject({ kind: 'ask', rule: 'mode-asks' });
    expect(rulingIn('LOCKDOWN')).toMatchObject({ kind: 'deny', rule: 'lockdown-looks-only' });
  });

  test('starts a line in the given directory of the workspace', () => {
    const { judge } = createJudge({ workspace: '/srv/shop' });
    expect(judge('cat ../a', 'src').verdict.effects).toContainEqual({
      kind: 'read',
      path: 'a',
      scope: 'file',
    });
    expect(judge('cat ../a').ruling).toMatchObject({ kind: 'deny', rule: 'path-outside' });
  });

  test('asks about every line when nothing confines it', () => {
    const { judge } = createJudge({ sandboxed: false });
    expect(judge('ls').ruling).toMatchObject({ kind: 'ask', rule: 'unconfined-code-asks' });
  });

  test('applies a rule of one provider to that provider only', () => {
    const rules = [{ id: 'no-make', deny: { program: 'make' }, providers: ['openai'] }];
    const rulesOf = (provider: string) => createJudge({ rules, provider }).judge('make').ruling.rule;
    expect([rulesOf('openai'), rulesOf('anthropic')]).toEqual(['no-make', 'warning-asks']);
  });

  test('ends a rule that expires by its clock, and allows by none without one', () => {
    const rules = [{ ...RULES[1], id: 'install', expires: '2026-12-31' }];
    const kindAt = (clock?: { now: () => number }) =>
      createJudge({ rules, ...(clock === undefined ? {} : { clock }) }).judge('npm install').ruling.kind;
    expect(kindAt()).toBe('ask');
    expect(kindAt({ now: () => Date.UTC(2026, 10) })).toBe('allow');
    expect(kindAt({ now: () => Date.UTC(2027, 1) })).toBe('ask');
  });

  test.for<[name: string, options: object, error: object]>([
    [
      'a rule without a matcher',
      { rules: [{ id: 'a' }] },
      {
        code: 'invalid-config',
        message: 'Cannot use these rules: rules[0] must have exactly one of allow, ask and deny',
      },
    ],
    [
      'a misspelt key of a rule',
      { rules: [{ id: 'a', allo: { program: 'npm' } }] },
      { message: 'Cannot use these rules: rules[0]: unknown key "allo"; did you mean "allow"?' },
    ],
    [
      'a pattern that is no regular expression',
      { rules: [{ id: 'a', deny: { pattern: '(' } }] },
      {
        code: 'invalid-config',
        why: [expect.stringMatching(/^rules\[0\]\.deny\.pattern is not a valid pattern: /)],
      },
    ],
    [
      'an example that fails',
      { rules: [{ id: 'a', deny: { program: 'npm' }, examples: { deny: ['ls'] } }] },
      {
        code: 'invalid-config',
        why: ['rules[0].examples.deny[0] says deny for "ls", but the policy says allow by safe-auto'],
      },
    ],
    [
      'an unknown mode',
      { mode: 'CALM' },
      { code: 'invalid-config', why: [expect.stringMatching(/^mode must be one of NORMAL, /)] },
    ],
    [
      'an option that does not exist',
      { rule: RULES },
      {
        code: 'invalid-arguments',
        message: 'Cannot use option "rule" of createJudge: did you mean "rules"?',
      },
    ],
    ['a relative workspace', { workspace: 'shop' }, { code: 'workspace' }],
    ['a provider that can be no name', { provider: 'Open AI' }, { code: 'unknown-provider' }],
  ])('refuses %s', ([, options, error]) => {
    expect(() => createJudge(options)).toThrow(expect.objectContaining(error));
  });
});
