import { locate } from '../paths/paths.ts';
import { REPOSITORY_CODE, type EvaluationContext } from '../program.ts';
import { literal, show, type Word } from '../word.ts';
import { wasReplaced } from '../paths/written.ts';

/** An absolute path, and at most one argument, including blanks. */
const SHEBANG = /^#![ \t]*(\/[!-~]+)(?:[ \t]+([!-~](?:[ -~\t]*[!-~])?))?[ \t]*$/;

/**
 * Judges `./build.mjs` as `node ./build.mjs`, by its first line, and never milder than code that is not analysed.
 * Returns whether it did.
 */
export function runByInterpreter(
  text: string,
  name: Word,
  { rest, context }: Readonly<{ rest: readonly Word[]; context: EvaluationContext }>,
): boolean {
  const { lineContext, state, report, walk } = context;
  const located = locate(text, state.cwd, lineContext);
  if (located?.place !== 'inside' || wasReplaced(located.absolute, context)) return false;
  const [, interpreter, argument] = SHEBANG.exec(lineContext.firstLineOf?.(located.absolute) ?? '') ?? [];
  if (interpreter === undefined) return false;
  report.raise('warning', 'runs-script', { text: `runs a script: ${show(name)}`, span: name.span });
  report.effect(REPOSITORY_CODE);
  const before = argument === undefined ? [interpreter] : [interpreter, argument];
  const words = [...before, text].map((word) => literal(word, name.span));
  // Scripts may name each other as interpreters; a second one is unknown.
  walk.runWords([...words, ...rest], { ...context, lineContext: { ...lineContext, firstLineOf: undefined } });
  return true;
}
