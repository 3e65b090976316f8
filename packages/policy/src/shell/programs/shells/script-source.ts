import { type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { absolutePath } from '../../paths/paths.ts';
import { raiseDecodedText, raiseDownloadedCode } from '../../report/blocked-code.ts';
import { forkState, UNKNOWN_VARIABLE } from '../../state.ts';
import { touchRead } from '../../paths/touch.ts';
import { writtenAt } from '../../paths/written.ts';
import { beginningOf, textOf, textsOf, type Word } from '../../word.ts';

/** A script in a file: unknown, unless this line shows where it came from. */
export function judgeScriptFile(file: Word, context: EvaluationContext): void {
  const { report, state, walk } = context;
  if (isStdin(file)) {
    if (state.stdin.origin.network) raiseDownloadedCode(report, file.span);
    else if (state.stdin.text !== undefined) walk.runText(state.stdin.text, file.span, context);
    else
      report.raise('dangerous', 'piped-into-shell', {
        text: "runs input that can't be determined",
        span: file.span,
      });
    return;
  }
  touchRead(context, file);
  if (/^\/(?:dev|proc\/self)\/fd\//.test(beginningOf(file)) && file.kind === 'literal')
    report.raise('dangerous', 'piped-into-shell', {
      text: "runs input that can't be determined",
      span: file.span,
    });
  if (textOf(file) === undefined) raiseUnknownText(file, context);
  if (beginningOf(file).startsWith('/dev/tcp/')) raiseDownloadedCode(report, file.span);
  for (const text of textsOf(file) ?? []) {
    const written = state.cwd === undefined ? undefined : writtenAt(absolutePath(text, state.cwd), context);
    if (written?.network === true) raiseDownloadedCode(report, file.span);
    else if (written !== undefined)
      report.raise('dangerous', 'runs-what-it-wrote', {
        text: 'runs a file that this line wrote',
        span: file.span,
      });
  }
}

export function isStdin(word: Word): boolean {
  return /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(textOf(word) ?? '');
}

/** Text that a shell runs, and that is not in the line: where it may come from, and what it is likely to be. */
export function raiseUnknownText(word: Word, context: EvaluationContext): void {
  const { report } = context;
  report.effect(WRITES_UNKNOWN);
  report.raise('dangerous', 'dynamic-script', {
    text: "runs text that can't be determined",
    span: word.span,
  });
  if (word.origin.network) raiseDownloadedCode(report, word.span);
  if (word.origin.decoded) raiseDecodedText(report, word.span);
  if (word.kind === 'dynamic' && word.guess !== undefined && word.guess.trim() !== '') {
    context.walk.runText(word.guess, word.span, {
      ...context,
      state: { ...forkState(context.state), variables: new Map([['@', UNKNOWN_VARIABLE]]), isOpen: true },
    });
  }
}
