import type { UserRule } from '@signalbox/core';
import type { Question } from '../governance/question.ts';
import { compileRegex, type LinearRegex, RegexSyntaxError } from './linear-regex.ts';

/** Longer lines are not searched by any pattern. */
const MAX_SEARCHED = 16_384;
/**
 * Steps that the patterns of all rules together may take for one line: up to a second for the worst of them, a few
 * milliseconds for usual ones.
 */
const MAX_WORK = 16_000_000;
/** Size of all patterns together: compiling that much takes up to a second. */
const MAX_STEPS_TOGETHER = 100_000;
/** Steps that trying the examples of all rules may take when they load. */
const MAX_EXAMPLE_WORK = 32_000_000;

export type BoundedPattern = Pick<LinearRegex, 'finds'> & {
  /** Whether this pattern and those before it that are in force for the call take at most {@link MAX_WORK}. */
  mayTake(characters: number, question: Question): boolean;
};

/** Shares one bound on work between patterns: each gets what those compiled before it leave. */
export type PatternBudget = {
  /**
   * @param rule the rule of the pattern; its examples count as work when the rules load
   * @throws {RegexSyntaxError} for a pattern that is invalid, or too large together with those before it
   */
  compile(pattern: string, rule: UserRule): BoundedPattern;
};

/**
 * The share of a pattern depends on the sizes of the patterns in force, never on the line or on what was judged before,
 * so the same call has the same answer.
 *
 * @param isInForce whether a rule applies to a call; patterns of other rules take no share
 */
export function createPatternBudget(
  isInForce: (rule: UserRule, question: Question) => boolean,
): PatternBudget {
  const patterns: { readonly rule: UserRule; readonly steps: number }[] = [];
  let total = 0;
  let exampleWork = 0;
  let last: { readonly question: Question; readonly totals: readonly number[] } | undefined;
  return {
    compile(pattern, rule) {
      // Also before compiling: that is the work to avoid.
      requireRoom();
      const { steps, finds } = compileRegex(pattern);
      total += steps;
      exampleWork += steps * charactersOf(rule.examples);
      requireRoom();
      const at = patterns.push({ rule, steps }) - 1;
      const whenAllInForce = total;
      return {
        finds,
        mayTake: (characters, question) =>
          characters <= MAX_SEARCHED &&
          (characters * whenAllInForce <= MAX_WORK || characters * totalUpTo(at, question) <= MAX_WORK),
      };
    },
  };

  /** Steps for each letter of the patterns in force, up to this one; all are added up once for each call. */
  function totalUpTo(at: number, question: Question): number {
    if (last?.question !== question) last = { question, totals: totalsFor(question) };
    return last.totals[at] as number;
  }

  function totalsFor(question: Question): readonly number[] {
    let sum = 0;
    return patterns.map(({ rule, steps }) => (sum += isInForce(rule, question) ? steps : 0));
  }

  function requireRoom(): void {
    if (total > MAX_STEPS_TOGETHER)
      throw new RegexSyntaxError('too large together with the patterns of other rules');
    if (exampleWork > MAX_EXAMPLE_WORK)
      throw new RegexSyntaxError(
        'too large, together with the patterns of other rules, for this many examples',
      );
  }
}

function charactersOf(examples: UserRule['examples']): number {
  return Object.values(examples)
    .flat()
    .reduce((characters, example) => characters + example.length, 0);
}
