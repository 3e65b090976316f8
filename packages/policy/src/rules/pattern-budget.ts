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
  /** Longer lines are not searched: this pattern and those before it would take more than {@link MAX_WORK}. */
  readonly maxLetters: number;
};

/** Shares one bound on work between patterns: each gets what those compiled before it leave. */
export type PatternBudget = {
  /**
   * @param exampleLetters length of all its examples
   * @throws {RegexSyntaxError} for a pattern that is invalid, or too large together with those before it
   */
  compile(pattern: string, exampleLetters: number): BoundedPattern;
};

/**
 * The share of a pattern depends on sizes alone, never on the line or on what was judged before, so the same line has the
 * same answer.
 */
export function createPatternBudget(): PatternBudget {
  let total = 0;
  let exampleWork = 0;
  return {
    compile(pattern, exampleLetters) {
      // Checked before, too: compiling thousands to find that none fits would be the work to avoid.
      requireRoom();
      const { steps, finds } = compileRegex(pattern);
      total += steps;
      exampleWork += steps * exampleLetters;
      requireRoom();
      return { finds, maxLetters: Math.min(MAX_SEARCHED, Math.floor(MAX_WORK / total)) };
    },
  };

  function requireRoom(): void {
    if (total > MAX_STEPS_TOGETHER)
      throw new RegexSyntaxError('too large together with the patterns of other rules');
    if (exampleWork > MAX_EXAMPLE_WORK)
      throw new RegexSyntaxError(
        'too large, together with the patterns of other rules, for this many examples',
      );
  }
}
