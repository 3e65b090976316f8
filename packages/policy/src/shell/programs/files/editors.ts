import {
  definePrograms,
  type Invocation,
  named,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { judgeHiddenText } from '../../hidden-text.ts';
import { touchRead } from '../../paths/touch.ts';
import { beginningOf, textOf } from '../../word.ts';

/** Editors and programs of the desktop: what a person then does in them is not on the line. */
export const editors = definePrograms(
  {
    names: named(
      'vi vim nvim view rvim gvim nano pico ed ex emacs emacsclient micro hx kak joe code codium subl zed idea',
    ),
    unknownOptions: 'any',
    level: 'warning',
    code: 'interactive',
    text: 'opens an editor',
    effects: [WRITES_UNKNOWN],
    judge: judgeEditor,
    examples: {
      safe: ['vim --version', 'code --version'],
      warning: ['vim a', 'nano a', 'vim +12 a.ts'],
      dangerous: [
        "vim -c '!rm -rf lib'",
        "vim '+!rm -rf lib'",
        'view .env',
        `emacs --batch --eval '(shell-command "id")'`,
        `nvim --headless -c 'lua os.execute("id")' +q`,
      ],
      blocked: ["vim -c ':!sudo id'", "ed -s <<< '!sudo id'"],
    },
  },
  {
    names: named('open xdg-open start xclip pbcopy pbpaste xsel screencapture import'),
    unknownOptions: 'any',
    level: 'warning',
    code: 'interactive',
    text: 'opens a desktop program',
    effects: [WRITES_UNKNOWN],
    judge: ({ words, context }) => {
      for (const word of words) if (!beginningOf(word).startsWith('-')) touchRead(context, word);
    },
    examples: { warning: ['open a.html', 'xdg-open .'] },
  },
);

/** Input from a pipe counts as typed: `ed -s <<< '!id'`. */
function judgeInput(context: EvaluationContext, span: Invocation['span']): void {
  const { stdin } = context.state;
  if (stdin.origin.network)
    context.report.raise('blocked', 'network-into-shell', {
      text: 'runs code downloaded from the network in an editor',
      span,
    });
  for (const line of stdin.text?.split('\n') ?? []) {
    const shell = /^[\s:\d,$%.]*(?:(?:r|w|read|write)\s*)?!(.+)$/.exec(line)?.[1];
    if (shell === undefined) continue;
    context.report.raise('dangerous', 'starts-program', { text: 'runs a program from the editor', span });
    context.walk.runText(shell, span, context);
  }
}

/** Text of an editor's own language that starts programs, after `-c`, `--eval` or `+`. */
const STARTS =
  /\bsystem(?:list)?\s*\(|shell-command|call-process|start-process|os\.execute|io\.popen|vim\.fn\.|delete-(?:file|directory)|\bdelete\s*\(|writefile|term(?:inal|open)|libcall/;

function judgeEditor({ words, context, span }: Invocation): void {
  const { report, walk } = context;
  judgeInput(context, span);
  for (const word of words) {
    const text = textOf(word) ?? '';
    if (STARTS.test(text)) {
      report.raise('dangerous', 'starts-program', {
        text: 'runs a program from the editor',
        span: word.span,
      });
      judgeHiddenText(text, word.span, { context });
    }
    const shell = /^(?:-c|\+)?:?!(.+)$/.exec(text)?.[1];
    if (shell !== undefined) {
      report.raise('dangerous', 'starts-program', {
        text: 'runs a program from the editor',
        span: word.span,
      });
      walk.runText(shell, word.span, context);
    } else if (!/^[-+]/.test(beginningOf(word))) touchRead(context, word);
  }
}
