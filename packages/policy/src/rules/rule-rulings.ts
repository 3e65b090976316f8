import type { UserRule } from '@signalbox/core';
import type { Question } from '../governance/question.ts';
import type { Allow, Ask, Deny } from '../governance/rulings.ts';
import type { Subject } from './subject.ts';
import type { Hit } from './word-patterns.ts';

/** The ruling of a user rule on a call. */

/** For a rule that asks. */
export function askByHit(rule: UserRule, hit: Exclude<Hit, 'no'>, subject: Subject): Ask {
  const untried = hit === 'maybe' ? untriedPattern(rule, subject) : undefined;
  return askBy(
    rule,
    untried === undefined ? reasonOf(rule) : `rule "${rule.id}" may require approval: ${untried}`,
  );
}

/** For a rule that denies, when a match is known only at run time. */
export function askInDoubt(rule: UserRule, subject: Subject): Ask {
  const doubt = untriedPattern(rule, subject) ?? 'the effects of the call can’t be determined in advance';
  return askBy(rule, `rule "${rule.id}" may deny it: ${doubt}`);
}

function askBy(rule: UserRule, reason: string): Ask {
  return { kind: 'ask', rule: rule.id, source: rule.source, reason, approvers: rule.approvers };
}

/** Why a pattern was not searched in a line that was given. */
function untriedPattern({ match }: UserRule, { line }: Subject): string | undefined {
  if (match.kind !== 'pattern' || line === null) return undefined;
  return `its pattern was not tried: the line has ${line.length} characters, too long for all patterns together`;
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
      suggestion: 'Do not retry or rephrase it; use another approach',
      why: [`rule: ${rule.id} (${rule.source}): ${reasonOf(rule)}`],
      visibility: 'visible',
    },
  };
}

function reasonOf({ because, id, ruling }: UserRule): string {
  const verb = ruling === 'deny' ? 'denies' : ruling === 'ask' ? 'requires approval' : 'allows';
  return because ?? `rule "${id}" ${verb}`;
}
