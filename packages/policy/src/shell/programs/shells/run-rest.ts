import type { EvaluationContext } from '../../program.ts';
import type { Word } from '../../word.ts';

/** The words after a wrapper are judged as a command of their own. */
export function runRest(words: readonly Word[], context: EvaluationContext): void {
  if (words.length > 0) context.walk.runWords(words, context);
}

/** `pnpm exec node x.js`: the program that a package manager starts does not get packages itself. */
export function startedBy(context: EvaluationContext): EvaluationContext {
  return { ...context, report: context.report.started ?? context.report };
}
