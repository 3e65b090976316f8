import type * as ast from 'unbash';
import type { EvaluationContext } from './program.ts';
import type { Origin } from './word.ts';

/** How the content of a word is judged; the walk passes itself in. */
export type Visit = Readonly<{
  /** `$(…)`, `` `…` ``, `<(…)`: judged in a copy of the state. `>(…)` reads a stream. */
  script(script: ast.ParsedScript | undefined, place: ast.SyntaxNode, context: EvaluationContext): Visited;
  arithmetic(
    expression: ast.ArithmeticExpression | undefined,
    place: ast.SyntaxNode,
    context: EvaluationContext,
  ): void;
  /** `${a[index]}`, `${a:offset}`: arithmetic written as a word. */
  subscript(index: ast.Word, context: EvaluationContext): void;
}>;

/** The origin of a script's output, the output itself if it is known, and whether it is a number. */
export type Visited = Readonly<{ origin: Origin; printed: string | undefined; isNumber: boolean }>;
