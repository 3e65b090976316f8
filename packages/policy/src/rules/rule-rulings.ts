import type { UserRule } from '@signalbox/core';
import type { Question } from '../governance/question.ts';
import type { Allow, Ask, Deny } from '../governance/rulings.ts';
import type { Subject } from './subject.ts';
import type { Hit } from './word-patterns.ts';

/** The ruling of a user rule on a call. */

/** For a rule that asks. */
export function askByHit(rule: UserRule, hit: Exclude<Hit, 'no'>, subject: Subject): Ask {
  const untried = hit === 'maybe' ? untriedPattern(rule, subject) : undefined;
  return askBy(rule, untried === undefined ? reasonOf(rule) : `rule "${rule.id}" may ask: ${untried}`);
}

/** For a rule that denies, when a match is known only at run time. */
export function askInDoubt(rule: UserRule, subject: Subject): Ask {
  const doubt = untriedPattern(rule, subject) ?? 'what it will do is not certain';
  return askBy(rule, `rule "${rule.id}" may deny it: ${doubt}`);
}

function askBy(rule: UserRule, reason: string): Ask {
  return { kind: 'ask', rule: rule.id, source: rule.source, reason, approvers: rule.approvers };
}

/** Why a pattern was not searched in a line that was given. */
function untriedPattern({ match }: UserRule, { line }: Subject): string | undefined {
  if (match.kind !== 'pattern' || line === null) return undefined;
  return `its pattern was not tried: the line has ${line.length} characters, too many for all patterns together`;
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
