import type { UserRule } from '@signalbox/core';
import { RE2JS, RE2Set } from 're2js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createJudge } from '../governance/create-judge.ts';
import { createPolicy } from '../governance/create-policy.ts';
import { PATH_CONTEXT, settingsOf } from '../governance/testing/question-builders.ts';
import { checkRules } from './check-examples.ts';
import { lineQuestion } from './testing/rule-questions.ts';

/** Each letter of a text with few blanks leads to a state that was not there before. */
const HOSTILE = '(?:a|b)*a(?:a|b){12}[c-d]';
const LONGEST = 16_384;

const denials = (count: number, pattern: string) =>
  Array.from({ length: count }, (_, at) => ({ id: `p${at}`, deny: { pattern } }));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the patterns of a line', () => {
  test('together take a bounded number of steps, and the line asks when they are spent', () => {
    const searched = vi.spyOn(RE2Set.prototype, 'match');
    const { judge } = createJudge({ rules: denials(2000, HOSTILE) });
    const steps = RE2JS.compile(HOSTILE).programSize();
    for (const length of [100, 1000, 10_000, LONGEST]) {
      searched.mockClear();
      const { ruling } = judge(`echo ${'ab'.repeat(length)}`.slice(0, length));
      const letters = searched.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
      expect(letters).toBeGreaterThan(0);
      expect(letters * steps).toBeLessThanOrEqual(16_000_000);
      expect(ruling.kind).toBe(searched.mock.calls.length === 2000 ? 'allow' : 'ask');
    }
    expect(judge(`echo ${'ab'.repeat(5000)}`).ruling.reason).toMatch(
      /^rule "p\d+" may deny it: its pattern was not tried: the line has 10005 characters, too long/,
    );
  });

  test('that were tried before those are spent still deny', () => {
    const rules = [{ id: 'first', deny: { pattern: 'ba$' } }, ...denials(500, HOSTILE)];
    const { ruling } = createJudge({ rules }).judge(`echo ${'ab'.repeat(5000)}a`);
    expect(ruling).toMatchObject({ kind: 'deny', rule: 'first' });
  });

  test('get the same share whatever was judged before', () => {
    const { judge } = createJudge({ rules: denials(500, HOSTILE) });
    const lines = [`echo ${'ab'.repeat(5000)}`, 'echo a', `echo ${'ba'.repeat(300)}`];
    const first = lines.map((line) => judge(line).ruling);
    expect(lines.map((line) => judge(line).ruling)).toEqual(first);
  });

  test('are searched before those of a repository, so that it can’t use up yours', () => {
    const [own, other] = [ruleOf({ deny: { pattern: 'ba$' } }), ruleOf({ deny: { pattern: HOSTILE } })];
    const theirs = Array.from({ length: 1000 }, (): UserRule => ({ ...other, layer: 'workspace' }));
    const policy = createPolicy({ ...settingsOf({}), rules: [...theirs, own] }, PATH_CONTEXT);
    const question = lineQuestion(`echo ${'ab'.repeat(5000)}a`);
    expect(policy.rule(question)).toMatchObject({ kind: 'deny', rule: 'x' });
    expect(policy.rules.hits(question).map(({ hit }) => hit)).toContain('maybe');
  });

  test('of rules that are not in force take no share', () => {
    const rules = [
      ...denials(5, '[xy]{999}').map((rule) => ({ ...rule, modes: ['ALERT' as const] })),
      ...denials(5, '[xy]{998}').map(({ deny }, at) => ({ id: `o${at}`, deny, providers: ['openai'] })),
      { id: 'ended', deny: { pattern: '[xy]{997}' }, expires: '2026-11-01' },
      { id: 'last', deny: { pattern: 'ba$' } },
    ];
    const line = `echo ${'ab'.repeat(5000)}a`;
    const clock = { now: () => Date.parse('2026-11-21') };
    const denied = { kind: 'deny', rule: 'last' };
    const { judge } = createJudge({ rules, provider: 'anthropic', clock });
    expect(judge(line).ruling).toMatchObject(denied);
    expect(judge(line).ruling).toMatchObject(denied);
    const asked = { kind: 'ask', rule: expect.not.stringMatching(/last/) as string };
    expect(createJudge({ rules, provider: 'openai', clock }).judge(line).ruling).toMatchObject(asked);
    expect(createJudge({ rules, mode: 'ALERT', clock }).judge(line).ruling).toMatchObject(asked);
  });

  test('of rules that ask and of tools.authorization say the same when they are spent', () => {
    const question = lineQuestion(`echo ${'ab'.repeat(5000)}`);
    const judged = (settings: object) => createPolicy(settingsOf(settings), PATH_CONTEXT).rule(question);
    const large = denials(2, '[xy]{999}');
    const asking = { id: 'slow', ask: { pattern: 'z{0,400}z' }, because: 'z is slow' };
    const untried =
      'its pattern was not tried: the line has 10005 characters, too long for all patterns together';
    const listed = (rules: readonly object[]) => ({ tools: { authorization: { enabled: true, rules } } });
    const deny = large.slice(0, 1);
    const asked = { kind: 'ask', rule: 'slow', reason: `rule "slow" may require approval: ${untried}` };
    const big = { id: 'big', ask: { pattern: '[xy]{450}' } };
    expect(judged({ rules: [...deny, big, asking] })).toMatchObject(asked);
    expect(judged(listed([...deny, big, asking]))).toMatchObject(asked);
    expect(judged(listed(large))).toMatchObject({
      kind: 'ask',
      reason: `rule "p1" may deny it: ${untried}`,
    });
    // Found for certain, a rule that asks gives its own reason.
    expect(createJudge({ rules: [asking] }).judge('echo z').ruling.reason).toBe('z is slow');
  });
});

test('rules whose patterns are too large together are refused before all are compiled', () => {
  const compiled = vi.spyOn(RE2JS, 'compile');
  expect(() => createJudge({ rules: denials(2000, '[xy]{999}') })).toThrow(
    'Cannot use these rules: rules[99].deny.pattern is not a valid pattern: too large together with the patterns of other rules',
  );
  // Once for all of them, and once for the examples of each that fits.
  expect(compiled.mock.calls.length).toBeLessThan(250);
});

test('rules whose examples are too much work for their patterns are refused before they are tried', () => {
  const searched = vi.spyOn(RE2Set.prototype, 'match');
  const match = Array.from({ length: 10 }, (_, at) => `${at}${'x'.repeat(4000)}`);
  const rules = denials(40, '[xy]{999}').map((rule) => ({ ...rule, examples: { match } }));
  const settings = settingsOf({ rules });
  const refused = checkRules(settings.rules);
  expect(refused).toHaveLength(40);
  expect(refused[0]?.message).toMatch(
    /^is not a valid pattern: too large, together with the patterns of other rules, for/,
  );
  expect(searched).not.toHaveBeenCalled();
});

function ruleOf(written: object): UserRule {
  const [rule] = settingsOf({ rules: [{ id: 'x', ...written }] }).rules;
  if (rule === undefined) throw new Error('no rule');
  return rule;
}
