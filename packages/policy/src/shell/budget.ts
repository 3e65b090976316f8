/** Steps that one line may take to be judged: a thousand of them take about a millisecond. */
export const MAX_STEPS = 5_000;

/** What parts of the work are worth, in steps; measured, and rounded up. */
export const STEPS = {
  command: 20,
  /** `if`, `for`, `$(…)`: the state is copied and joined again. */
  branch: 5,
  /** A word, a path, a reason, an effect. */
  item: 1,
  perCharacter: 1 / 16,
  perVisitedNode: 1 / 8,
} as const;

/**
 * What it costs to parse a text, or the parts of a word, in steps. In a text that is not well-formed every
 * expansion may search all the rest for its end.
 */
export function stepsToParse(text: string, isBroken: boolean): number {
  const expansions = isBroken ? text.split(/[$`]|[<>]\(/).length - 1 : 0;
  return text.length * (1 / 16 + expansions / 256);
}

/** The work that is left for a line, all shells within it together. */
export type WorkBudget = Readonly<{
  /** @throws {TooMuchWorkError} when nothing is left */
  spend(steps: number): void;
  /** Steps so far, the one that was too much included. */
  spent(): number;
}>;

/**
 * The line takes more work than it may: whoever judges it stops, and calls it dangerous.
 *
 * Thrown, for no loop anywhere may go on; a value would have to be looked at in all of them.
 */
export class WorkBudgetError extends Error {}

export function createBudget(most: number = MAX_STEPS): WorkBudget {
  let spent = 0;
  return {
    spend(steps) {
      spent += steps;
      if (spent > most) throw new WorkBudgetError(`Cannot judge the line: it takes over ${most} steps`);
    },
    spent: () => spent,
  };
}
