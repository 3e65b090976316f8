import type { UserRule } from '@signalbox/core';
import type { Question } from '../governance/question.ts';
import type { Allow, Ask, Deny } from '../governance/rulings.ts';

/** The ruling of a user rule on a call. */

export function askBy(rule: UserRule, reason = reasonOf(rule)): Ask {
  return { kind: 'ask', rule: rule.id, source: rule.source, reason, approvers: rule.approvers };
}

/** For a rule that denies, when a match is known only at run time. */
export function askInDoubt(rule: UserRule): Ask {
  return askBy(rule, `rule "${rule.id}" may deny it: what it will do is not certain`);
}

export function allowBy(rule: UserRule): Allow {
  return { kind: 'allow', rule: rule.id, source: rule.source, reason: reasonOf(rule) };
}

export function denyBy(rule: UserRule, { tool }: Question): Deny {
  return {
    kind: 'deny',
    rule: rule.id,
    source: rule.source,
    reason: reasonOf(rule),
    outcome: 'denied',
    failure: {
      code: 'denied',
      category: 'PolicyBlocked',
      message: `Cannot call ${tool.name}: rule "${rule.id}" (${rule.source}) denies it${rule.because === null ? '' : `: ${rule.because}`}`,
      suggestion: 'Do not rephrase it; choose another way',
      why: [`rule: ${rule.id} (${rule.source}): ${reasonOf(rule)}`],
      visibility: 'visible',
    },
  };
}

function reasonOf({ because, id, ruling }: UserRule): string {
  const verb = ruling === 'deny' ? 'denies' : ruling === 'ask' ? 'asks' : 'allows';
  return because ?? `rule "${id}" ${verb}`;
}
