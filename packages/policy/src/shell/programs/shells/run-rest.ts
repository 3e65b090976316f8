import type { EvaluationContext } from '../../program.ts';
import type { Word } from '../../word.ts';

/** What follows a wrapper is judged as a command of its own. */
export function runRest(words: readonly Word[], context: EvaluationContext): void {
  if (words.length > 0) context.walk.runWords(words, context);
}

/** `pnpm exec node x.js`: what a program that gets packages is told to start is a program of its own, and no getter. */
export function startedBy(context: EvaluationContext): EvaluationContext {
  return { ...context, report: context.report.started ?? context.report };
}
