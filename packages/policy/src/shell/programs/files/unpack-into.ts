import type { EvaluationContext } from '../../program.ts';
import { touchWrite } from '../../paths/touch.ts';
import { literal, type Word } from '../../word.ts';

/** Unpacking may write anything below its folder. */
export function unpackInto(folder: Word | undefined, context: EvaluationContext, span: Word['span']): void {
  context.report.raise('warning', 'unpacks', { text: 'unpacks files', span });
  touchWrite(context, folder ?? literal('.', span), { scope: 'tree' });
}
