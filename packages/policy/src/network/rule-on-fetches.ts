import { agreedPatterns, type Effect, type Ruling, type Verdict } from '@signalbox/core';
import type { Policy } from '../governance/create-policy.ts';
import type { Question } from '../governance/question.ts';

/**
 * Rules on a call that may fetch packages but works without: in mode NORMAL it gets the network if its hosts were
 * agreed to and no rule or list requires approval or denies the call for it. Otherwise it is judged, and runs, without
 * network.
 */
export function ruleOnFetches(
  question: Question,
  policy: Pick<Policy, 'rule' | 'agreedHosts'>,
): { readonly question: Question; readonly ruling: Ruling } {
  const { effects } = question.verdict;
  const firm = effects.filter((effect) => !isOptional(effect));
  const offline = { ...question, verdict: withEffects(question.verdict, firm) };
  const agreed = effects.filter(
    (effect) => !isOptional(effect) || agreedPatterns(effect, policy.agreedHosts).length > 0,
  );
  const ruling = policy.rule(offline);
  if (agreed.length === firm.length || question.mode !== 'NORMAL') return { question: offline, ruling };
  const online = { ...question, verdict: withEffects(question.verdict, agreed) };
  const other = policy.rule(online);
  return needOf(other) <= needOf(ruling)
    ? { question: online, ruling: other }
    : { question: offline, ruling };
}

/** Strictness of a ruling. */
function needOf(ruling: Ruling): number {
  if (ruling.kind === 'deny') return Number.POSITIVE_INFINITY;
  return ruling.kind === 'ask' ? ruling.approvers : 0;
}

function isOptional(effect: Effect): effect is Extract<Effect, { kind: 'network' }> {
  return effect.kind === 'network' && effect.optional === true;
}

function withEffects(verdict: Verdict, effects: readonly Effect[]): Verdict {
  return effects.length === verdict.effects.length ? verdict : { ...verdict, effects };
}
