import type * as ast from 'unbash';
import type { EvaluationContext } from '../program.ts';

const RESERVED =
  /^(?:then|elif|else|fi|do|done|esac|in|\}|!|\]\]|if|while|until|for|case|select|function|coproc|time|\{|\[\[)$/;
const STATIC: ReadonlySet<string> = new Set(['Literal', 'SingleQuoted', 'AnsiCQuoted', 'BraceExpansion']);

/** A program named by a reserved word, a variable or a pattern is never what it seems. */
export function judgeProgramName({ name }: ast.Command, context: EvaluationContext): void {
  if (name === undefined) return;
  const isBare = name.parts === undefined && name.text === name.value;
  if (isBare && RESERVED.test(name.value)) {
    const text = `uses a reserved word as a program name: ${name.value}`;
    context.report.raise('warning', 'reserved-word', { text, span: context.spanOf(name) });
  }
  if (name.parts?.every((part) => isStatic(part)) !== false) return;
  const text = 'runs a program named by a variable or a pattern';
  context.report.raise('warning', 'variable-program', { text, span: context.spanOf(name) });
}

function isStatic(part: ast.WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every((child) => child.type === 'Literal');
  return STATIC.has(part.type);
}
