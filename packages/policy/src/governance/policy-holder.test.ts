import { expect, test } from 'vitest';
import { createPolicyHolder } from './policy-holder.ts';
import { BASH, policyOf, questionOf } from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';

const NO_NPM = { rules: [{ id: 'no-npm', deny: { program: 'npm' } }] };

test('a policy that takes another’s place judges every call from then on, and remembers the one before', () => {
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

test('a policy that decides the same changes nothing', () => {
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
