import { touchHanded } from '../../paths/named-secrets.ts';
import type { EvaluationContext } from '../../program.ts';
import { atMostDangerous } from '../../report/report.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';
import { judgeTasks } from '../builds/recipe-targets.ts';

/** Options whose value is a command: for unknown programs, so only findings in it count. */
const COMMAND_OPTIONS = /^(?:-[cexs]|-ex|--(?:run|exec|cmd|command|call|shell|execute))$/;
const RUNS = /^(?:exec|run|x|--)$/;

/**
 * Judges what a program that is not analysed may start: its first operand, the words after `--`, `exec` or `run`, and
 * the value of options such as `--exec`; the secrets among its arguments, and the tasks that it is given. It can only
 * raise a level.
 */
export function judgeInnerCommand(words: readonly Word[], context: EvaluationContext): void {
  touchHanded(words, context);
  judgeTasks(words, context);
  const inner = { ...context, state: { ...context.state } };
  // A word may be a program that it starts, or anything else: a person may lift findings of such a guess.
  const guessed = { ...inner, report: atMostDangerous(context.report) };
  const first = words.findIndex((word) => !beginningOf(word).startsWith('-'));
  for (const [at, word] of words.entries()) {
    const text = textOf(word);
    if (text === undefined || at > 64) continue;
    const before = textOf(words[at - 1]) ?? '';
    const glued = /^--(?:run|exec|cmd|command|call|shell|execute)=(.+)$/s.exec(text)?.[1];
    const script = glued ?? (COMMAND_OPTIONS.test(before) ? text : undefined);
    if (script !== undefined && isKnown(script.replace(/^(?:shell|!)\s*/, ''), context))
      inner.walk.runText(script.replace(/^(?:shell|!)\s*/, ''), word.span, inner);
    const starts =
      at === first ||
      RUNS.test(before) ||
      COMMAND_OPTIONS.test(before) ||
      // `direnv exec . rm`, `faketime yesterday rm`: one other word comes before the command.
      ((at === first + 1 || RUNS.test(textOf(words[at - 2]) ?? '')) && at + 1 < words.length);
    // `lint .`: the folder, since the shell's `.` does nothing without a file.
    const isFolder = text === '.' && at + 1 === words.length;
    if (!starts || isFolder || !isKnown(text, context)) continue;
    const isCertain = RUNS.test(before) || COMMAND_OPTIONS.test(before);
    // `lerna exec 'rm -rf lib'`: a line in one word.
    if (/\s/.test(text)) inner.walk.runText(text, word.span, isCertain ? inner : guessed);
    else inner.walk.runWords(words.slice(at), isCertain ? inner : guessed);
  }
}

function isKnown(text: string, { walk }: EvaluationContext): boolean {
  return walk.knows(text.replace(/^.*\//, '').replace(/[\s;|&].*$/s, ''));
}
