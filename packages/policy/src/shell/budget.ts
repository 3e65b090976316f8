/** Steps that judging one line may take: a thousand of them take about a millisecond. */
export const MAX_STEPS = 5_000;

/** Cost of parts of the work, in steps; measured, and rounded up. */
export const STEPS = {
  command: 20,
  /** `if`, `for`, `$(…)`: the state is copied and merged again. */
  branch: 5,
  /** A word, a path, a reason, an effect. */
  item: 1,
  perCharacter: 1 / 16,
  perVisitedNode: 1 / 8,
} as const;

/**
 * Cost of parsing a text, or the parts of a word, in steps. In a malformed text every expansion may search the whole
 * rest for its end.
 */
export function stepsToParse(text: string, isBroken: boolean): number {
  const expansions = isBroken ? text.split(/[$`]|[<>]\(/).length - 1 : 0;
  return text.length * (1 / 16 + expansions / 256);
}

/** The remaining work for a line, including all shells nested in it. */
export type WorkBudget = Readonly<{
  /** @throws {WorkBudgetError} when nothing is left */
  spend(steps: number): void;
  /** Steps so far, including the one that exceeded the bound. */
  spent(): number;
}>;

/**
 * The line exceeds its work budget: the caller stops, and reports it as dangerous.
 *
 * Thrown, because every nested loop must stop; a value would have to be checked in each of them.
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
