import type { UserRule } from '@signalbox/core';
import type { PathContext } from '../governance/paths/path-location.ts';
import type { Question } from '../governance/question.ts';
import type { RegexSyntaxError } from './linear-regex.ts';
import { createPatternBudget, type PatternBudget } from './pattern-budget.ts';
import type { CompiledRule } from './rule-index.ts';
import { compileMatch, type RuleMatch } from './rule-matching.ts';

/**
 * Compiles rules, in the order given. Their patterns share one budget: those of your own files come first, so that a
 * repository can't use it up, and denials before other rules.
 */
export function compileRules(
  rules: readonly UserRule[],
  pathContext: PathContext,
  isInForce: (rule: UserRule, question: Question) => boolean,
): readonly (CompiledRule & { readonly problem: string | null })[] {
  const budget = createPatternBudget(isInForce);
  return rules
    .map((rule, at) => ({ rule, at }))
    .toSorted((a, b) => rankOf(a.rule) - rankOf(b.rule))
    .map(({ rule, at }) => ({ rule, at, ...compiledOrCautious(rule, pathContext, budget) }))
    .toSorted((a, b) => a.at - b.at);
}

function rankOf({ layer, ruling }: UserRule): number {
  return (layer === 'workspace' ? 2 : 0) + (ruling === 'deny' ? 0 : 1);
}

/** A rule that can't be compiled is refused when its file loads; one that gets here anyway always holds back. */
function compiledOrCautious(
  rule: UserRule,
  pathContext: PathContext,
  budget: PatternBudget,
): { readonly match: RuleMatch; readonly problem: string | null } {
  try {
    return { match: compileMatch(rule, pathContext, budget), problem: null };
  } catch (error) {
    // No other error is thrown; with any error the rule is not used.
    const { message } = error as RegexSyntaxError;
    return { match: { holds: () => 'maybe', admits: () => false }, problem: message };
  }
}
