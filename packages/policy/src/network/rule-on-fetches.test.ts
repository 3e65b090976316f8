import type { Effect, Mode, Ruling } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createPolicy } from '../governance/create-policy.ts';
import { BASH, PATH_CONTEXT, questionOf, settingsOf } from '../governance/testing/question-builders.ts';
import { ruleOnFetches } from './rule-on-fetches.ts';

const CODE: Effect = { kind: 'repository-code' };
const UNKNOWN: Effect = { kind: 'write-unknown' };
const fetch = (host: string): Effect => ({ kind: 'network', source: 'cargo', host, optional: true });
const CRATES = fetch('static.crates.io');

function settle(
  effects: readonly Effect[],
  { written = {}, mode = 'NORMAL' }: Readonly<{ written?: Record<string, unknown>; mode?: Mode }> = {},
): { effects: readonly Effect[]; ruling: Ruling['kind'] } {
  const agreed = { packages: ['static.crates.io'] };
  const settings = settingsOf({ sandbox: { network: { agreed } }, ...written });
  const verdict = {
    level: 'warning',
    reasons: [],
    effects,
    runsRepositoryCode: true,
    composed: false,
  } as const;
  const asked = questionOf({ tool: BASH, verdict, line: 'cargo run', reversible: true, mode });
  const { question, ruling } = ruleOnFetches(asked, createPolicy(settings, PATH_CONTEXT));
  return { effects: question.verdict.effects, ruling: ruling.kind };
}

const rule = (verb: string, more: object = {}) => ({
  rules: [{ id: 'own', [verb]: { effect: 'network' }, ...more }],
});

test('a build keeps its optional fetches from agreed hosts, and loses those from others', () => {
  expect(settle([CODE, CRATES])).toEqual({ effects: [CODE, CRATES], ruling: 'allow' });
  expect(settle([CODE, fetch('evil.example'), CRATES])).toEqual({
    effects: [CODE, CRATES],
    ruling: 'allow',
  });
  expect(settle([CODE, fetch('evil.example')])).toEqual({ effects: [CODE], ruling: 'allow' });
  expect(settle([CODE, { kind: 'network', source: 'go', optional: true }])).toEqual({
    effects: [CODE],
    ruling: 'allow',
  });
});

test('a build fetches nothing while a mode holds calls back', () => {
  const all = { approval: { approval_mode: 'allow_all' } };
  for (const mode of ['ALERT', 'DEGRADED', 'RECOVERY'] as const)
    expect([mode, settle([CODE, CRATES], { written: all, mode }).effects]).toEqual([mode, [CODE]]);
  expect(settle([CODE, CRATES], { written: all }).effects).toEqual([CODE, CRATES]);
});

test('a rule on the network takes the network from a build, but does not stop it', () => {
  for (const written of [
    rule('deny'),
    rule('ask'),
    { agents: { tool_execution: { require_approval_tools: ['fetch_url'] } } },
    { tools: { fetch_url: { policy: 'requires_approval' } } },
  ])
    expect(settle([CODE, UNKNOWN, CRATES], { written })).toEqual({
      effects: [CODE, UNKNOWN],
      ruling: 'allow',
    });
});

test('a line that needs approval anyway names its optional fetches, if that needs no second approver', () => {
  const asks = { approval: { prompt_on_warning: true } };
  expect(settle([CODE, CRATES], { written: asks })).toEqual({ effects: [CODE, CRATES], ruling: 'ask' });
  expect(settle([CODE, CRATES], { written: { ...asks, ...rule('ask', { approvers: 2 }) } })).toEqual({
    effects: [CODE],
    ruling: 'ask',
  });
  const denied = { approval: { approval_mode: 'deny_all' } };
  expect(settle([CODE, CRATES], { written: denied })).toEqual({ effects: [CODE, CRATES], ruling: 'deny' });
});
