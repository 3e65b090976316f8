import { SessionId, UserRule } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createPolicyHolder } from './policy-holder.ts';
import { lineQuestion } from '../rules/testing/rule-questions.ts';
import { createPolicy } from './create-policy.ts';
import { BASH, PATH_CONTEXT, policyOf, questionOf, settingsOf } from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';

const NO_NPM = { rules: [{ id: 'no-npm', deny: { program: 'npm' } }] };

test('a policy that replaces another judges every later call, and remembers the one before (S001-17)', () => {
  const first = policyOf();
  const next = policyOf(NO_NPM);
  const holder = createPolicyHolder(first);
  const question = questionOf({ tool: BASH, line: 'npm x', level: 'safe' });
  expect([ruled(holder, question), holder.version, holder.earlier]).toEqual([
    'allow safe-auto',
    first.version,
    [],
  ]);
  expect(holder.swap(next)).toBe(true);
  expect([ruled(holder, question), holder.version, holder.earlier]).toEqual([
    'deny no-npm',
    next.version,
    [first.version],
  ]);
  expect(holder.rules.hits(question)).toHaveLength(1);
});

test('a policy with the same decisions changes nothing', () => {
  const holder = createPolicyHolder(policyOf(NO_NPM));
  expect(holder.swap(policyOf(NO_NPM))).toBe(false);
  expect(holder.earlier).toEqual([]);
});

test('the holder answers every question as its policy does', () => {
  const policy = policyOf({ tools: { max_tool_calls_per_session: 3, write_file: { timeout: '5s' } } });
  const holder = createPolicyHolder(policy);
  const question = questionOf({ mode: 'LOCKDOWN', contentBytes: 1e9, level: 'blocked' });
  expect(holder.limits(question)).toEqual(policy.limits(question));
  expect(holder.timeoutOf(question.tool)).toBe(5000);
  expect([holder.isDenied('.env', 'read'), holder.isDenied('a', 'read')]).toEqual([true, false]);
  for (const check of ['checkMode', 'checkVerdict', 'checkPaths', 'checkSizes', 'checkApproval'] as const)
    expect(holder[check](question)).toEqual(policy[check](question));
});

const SESSION = SessionId.parse('ses_abcdefghjkmn');
const OTHER = SessionId.parse('ses_nmkjhgfedcba');
const SHOPGEN = UserRule.parse({ id: 'shopgen', allow: { program: 'shopgen', args: ['**'] } });
const NO_LS = UserRule.parse({ id: 'no-ls', deny: { program: 'ls' } });

test('rules of a session decide in that session alone, until it has ended', () => {
  const holder = createPolicyHolder(policyOf());
  const { version } = holder;
  holder.setRulesOfSession(SESSION, [SHOPGEN, NO_LS]);
  const rules = (line: string, sessionId: SessionId) =>
    ruled(holder, lineQuestion(line, { context: { sessionId } }));
  expect([rules('shopgen a', SESSION), rules('shopgen a', OTHER)]).toEqual([
    'allow shopgen',
    'ask unknown-program-asks',
  ]);
  expect([rules('ls', SESSION), rules('ls', OTHER)]).toEqual(['deny no-ls', 'allow safe-auto']);
  expect(holder.version).toBe(version);
  expect(holder.rulesOfSession(SESSION)).toMatchObject([
    { id: 'shopgen', layer: 'session', source: 'session abcd', isTrusted: true },
    { id: 'no-ls' },
  ]);
  holder.setRulesOfSession(SESSION, []);
  expect([rules('shopgen a', SESSION), holder.rulesOfSession(SESSION)]).toEqual([
    'ask unknown-program-asks',
    [],
  ]);
});

test('rules of a session outlive a swap and apply beside the new rules: a deny of either wins', () => {
  const holder = createPolicyHolder(policyOf());
  holder.setRulesOfSession(SESSION, [SHOPGEN, NO_LS]);
  holder.swap(policyOf({ rules: [{ id: 'no-generator', deny: { program: 'shopgen' } }] }));
  const ask = (line: string) => lineQuestion(line, { context: { sessionId: SESSION } });
  expect([ruled(holder, ask('shopgen a')), ruled(holder, ask('ls'))]).toEqual([
    'deny no-generator',
    'deny no-ls',
  ]);
  expect(holder.rules.hits(ask('ls')).map(({ rule, hit }) => `${rule.id} ${hit}`)).toEqual([
    'no-generator no',
    'shopgen no',
    'no-ls yes',
  ]);
  expect(holder.rules.holdsBack(ask('ls'))).toMatchObject({ rule: 'no-ls', source: 'session abcd' });
  expect(holder.rules.lifts(ask('shopgen a'))).toMatchObject({ rule: 'shopgen', source: 'session abcd' });
});

test('a swap for the same rules on other lines reports the new lines, and is the same policy', () => {
  const holder = createPolicyHolder(policyOf(NO_NPM));
  const settings = settingsOf(NO_NPM);
  const moved = settings.rules.map((rule) => ({ ...rule, source: 'signalbox.yaml:9' }));
  expect(holder.swap(createPolicy({ ...settings, rules: moved }, PATH_CONTEXT))).toBe(false);
  expect(holder.rule(lineQuestion('npm test')).source).toBe('signalbox.yaml:9');
});
