import type { RuleLayer, Ruling } from '@signalbox/core';
import type { Hit } from '../rules/word-patterns.ts';
import { BUILT_IN_RULES, type RuleId } from './built-in-rules.ts';
import type { Policy } from './create-policy.ts';
import type { Question } from './question.ts';
import { WHAT_CHANGES } from './what-changes.ts';

/** One rule, and its own ruling on a call, independent of the others. */
export type RuleStep = {
  readonly rule: string;
  readonly source: string;
  readonly layer: 'built in' | RuleLayer;
  readonly ruling: Ruling['kind'];
  /** Number of approvers it requires; 0 when it does not ask. */
  readonly approvers: number;
  readonly says: string;
  readonly hit: Hit;
  /** Whether this rule decides the ruling. */
  readonly decides: boolean;
};

export type Explanation = {
  readonly ruling: Ruling;
  /** Every rule: the built-in ones in their order, then user rules. */
  readonly rules: readonly RuleStep[];
  /** What a person could do to change the ruling, one sentence each. */
  readonly changes: readonly string[];
};

/**
 * Evaluates every gate and every rule, also after the one that decides.
 *
 * @param ruling of a caller that knows more than the policy, such as what was denied before
 */
export function explain(
  policy: Policy,
  question: Question,
  ruling: Ruling = policy.rule(question),
): Explanation {
  const answers = [
    policy.checkVerdict(question),
    policy.checkMode(question),
    policy.checkPaths(question),
    policy.checkSizes(question),
    policy.checkApproval(question),
  ].filter((answer) => answer !== undefined);
  const hits = new Map(answers.map((answer) => [answer.rule, answer.reason]));
  const isBuiltIn = ruling.source === 'built in';

  const builtIn = Object.entries(BUILT_IN_RULES).map(([rule, { ruling: kind, says }]): RuleStep => {
    const decides = isBuiltIn && ruling.rule === rule;
    const isHit = decides || hits.has(rule);
    const reason = decides ? ruling.reason : (hits.get(rule) ?? says);
    return {
      rule,
      source: 'built in',
      layer: 'built in',
      ruling: kind,
      approvers: kind === 'ask' ? 1 : 0,
      says: reason,
      hit: isHit ? 'yes' : 'no',
      decides,
    };
  });
  const own = policy.rules.hits(question).map(({ rule, hit }): RuleStep => {
    const decides = !isBuiltIn && ruling.rule === rule.id && ruling.source === rule.source;
    const says = rule.because ?? (rule.isTrusted ? '' : 'not trusted here: signalbox rules trust');
    const { id, source, layer, ruling: kind } = rule;
    const approvers = kind === 'ask' ? rule.approvers : 0;
    return { rule: id, source, layer, ruling: kind, approvers, says, hit, decides };
  });
  return { ruling, rules: [...builtIn, ...own], changes: changesOf(ruling, own) };
}

function changesOf(ruling: Ruling, own: readonly RuleStep[]): readonly string[] {
  if (isRuleId(ruling.rule) && ruling.source === 'built in') return [WHAT_CHANGES[ruling.rule]];
  const others = own.filter(
    ({ hit, decides, ruling: kind }) => hit !== 'no' && !decides && kind === ruling.kind,
  );
  return [
    `change or remove rule "${ruling.rule}" in ${ruling.source}`,
    ...others.map(({ rule, source }) => `and rule "${rule}" in ${source}, which says the same`),
  ];
}

function isRuleId(rule: string): rule is RuleId {
  return Object.hasOwn(BUILT_IN_RULES, rule);
}
