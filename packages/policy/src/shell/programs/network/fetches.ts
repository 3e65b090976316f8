import { NETWORK, type EvaluationContext } from '../../program.ts';
import { beginningOf, type Word } from '../../word.ts';

/** Readers that accept a URL in place of a file. */
export function fetches(words: readonly (Word | undefined)[], context: EvaluationContext): void {
  for (const word of words) {
    if (word === undefined || !/^(?:https?|ftp|s3):/i.test(beginningOf(word))) continue;
    context.report.raise('warning', 'network', { text: 'reads its input from the network', span: word.span });
    context.report.effect(NETWORK);
  }
}
