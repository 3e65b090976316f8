import type { CommandResult } from '@signalbox/core';
import { expect, test } from 'vitest';
import { criticalFailureOf, type FailurePolicy } from './critical-failure.ts';

type Result = Parameters<typeof criticalFailureOf>[0];

function resultOf(
  code: string,
  {
    kind = 'failed',
    tool = 'bash',
    visibility = 'visible',
  }: Readonly<{ kind?: string; tool?: string; visibility?: string }> = {},
): Result {
  const failure = { code, category: 'ServerError', message: 'It broke\n\nhere', visibility };
  return { tool, outcome: { kind, failure }, failure } as unknown as Pick<CommandResult, keyof Result>;
}

const policyOf = (policy: Partial<FailurePolicy> = {}): FailurePolicy => ({
  critical_tools: [],
  on_critical_failure: 'ask',
  ...policy,
});

test.each([
  'disk-full',
  'disk-broken',
  'read-only',
  'audit-unavailable',
  'sandbox_error',
  'judge_unavailable',
])('%s is critical for every tool, since no model can mend it (S000-68)', (code) => {
  expect(criticalFailureOf(resultOf(code, { kind: 'denied' }), policyOf())).toBe('bash: It broke here');
});

test.each(['exit-code', 'stale-write', 'mcp-server-unavailable', 'internal', 'judge_denied'])(
  '%s is not: the model may try another way',
  (code) => {
    expect(criticalFailureOf(resultOf(code), policyOf())).toBeUndefined();
  },
);

test.each([
  ['failed', true],
  ['timed_out', true],
  ['lost', true],
  ['denied', false],
  ['blocked', false],
  ['conflict', false],
  ['cancelled', false],
])('a listed tool that has %s is critical: %s', (kind, isCritical) => {
  const result = resultOf('exit-code', { kind, tool: 'shop_deploy' });
  const found = criticalFailureOf(result, policyOf({ critical_tools: ['shop_*'] }));
  expect(found !== undefined).toBe(isCritical);
  expect(criticalFailureOf(result, policyOf({ critical_tools: ['other'] }))).toBeUndefined();
});

test('with `continue` none is, and a success never is', () => {
  expect(
    criticalFailureOf(resultOf('disk-full'), policyOf({ on_critical_failure: 'continue' })),
  ).toBeUndefined();
  const done = { tool: 'bash', outcome: { kind: 'completed' }, failure: null } as const;
  expect(criticalFailureOf(done, policyOf({ critical_tools: ['bash'] }))).toBeUndefined();
});

test('a failure that its model may not read is named without its text', () => {
  expect(criticalFailureOf(resultOf('disk-full', { visibility: 'hidden' }), policyOf())).toBe(
    'bash: it failed inside Signalbox',
  );
});
