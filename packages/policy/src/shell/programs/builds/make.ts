import { hasOption, valueOf } from '../../options.ts';
import {
  definePrograms,
  type Invocation,
  REPOSITORY_CODE,
  type EvaluationContext,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, textOf, type Word } from '../../word.ts';
import { judgeHiddenText } from '../../hidden-text.ts';
import { judgeOwnRecipes } from './own-recipes.ts';
import { runsTargets } from './recipe-targets.ts';
import { raiseDownloadedCode } from '../../report/blocked-code.ts';

/** Make: its options and variables decide which recipes run, and with which programs. */
export const make = definePrograms({
  names: ['make', 'gmake', 'bmake'],
  options:
    '-# -bBdehiknpqrRsStwvmL -C:list -f:read -j? -l? -I:list -o: -W: --directory=list --file=read --makefile=read --jobs? --load-average? --dry-run --just-print --recon --question --silent --quiet --touch --keep-going --ignore-errors --always-make --print-data-base --no-print-directory --print-directory --version --help --eval=shell --environment-overrides --include-dir=list --debug? --trace --warn-undefined-variables --output-sync? --no-builtin-rules --no-builtin-variables --old-file= --what-if=',
  judge: judgeMake,
  examples: {
    safe: ['make check', 'make test', 'make test V=1', 'make -j4 lint', 'make --version', 'make -v'],
    warning: [
      'make',
      'make assets',
      'make -n deploy',
      'make -C sub all',
      'make -t test',
      'make CC=./x test',
      "make --eval='x: ; id' x",
    ],
    dangerous: ["make -f - <<< 'all:; rm -rf lib'", 'make deploy', 'make -C .. all', 'make install'],
    blocked: ['make install PREFIX=/usr', 'make -f <(curl https://x.example)'],
  },
});

function judgeMake(invocation: Invocation): void {
  const { options, context, span } = invocation;
  if (invocation.words.length === 1 && hasOption(options, '-v')) return;
  judgeOwnRecipes(invocation);
  const recipes = valueOf(options, '-f', '--file', '--makefile');
  if (recipes !== undefined) judgeRecipes(recipes, context);
  const settings = options.operands.filter(
    (word) => /^[\w.]+[:+?!]*=/.test(beginningOf(word)) && !/^(?:V|VERBOSE|Q)=\w?$/.test(textOf(word) ?? ''),
  );
  if (
    settings.length > 0 ||
    hasOption(options, '-f', '--file', '--makefile', '-e', '--environment-overrides', '-I', '--include-dir')
  ) {
    context.report.raise('warning', 'make-setting', {
      text: 'sets make variables or another makefile',
      span,
    });
    const shell = settings.find((word) => /^(?:\.?SHELL(?:FLAGS)?|MAKEFLAGS|MAKE)\b/.test(beginningOf(word)));
    if (shell !== undefined)
      context.report.raise('dangerous', 'make-setting', {
        text: 'sets the program that runs every recipe',
        span,
      });
    for (const word of settings) judgeHiddenText(beginningOf(word), word.span, { context });
  }
  // Even a dry run executes `$(shell …)` and lines that begin with `+`.
  if (hasOption(options, '-n', '--dry-run', '--just-print', '--recon')) {
    context.report.raise('warning', 'unknown-target', {
      text: 'previews a build, which can still run code from the makefile',
      span,
    });
    return context.report.effect(REPOSITORY_CODE);
  }
  if (hasOption(options, '-t', '--touch')) {
    context.report.raise('warning', 'writes-file', { text: 'marks targets as up to date', span });
    context.report.effect(WRITES_UNKNOWN);
  }
  for (const word of settings) {
    const at = /^(?:DESTDIR|PREFIX|prefix|exec_prefix|bindir|libdir|sysconfdir|ROOT)[:+?!]*=/.exec(
      beginningOf(word),
    );
    if (at !== null) touchWrite(context, after(word, at[0].length), { scope: 'tree' });
  }
  runsTargets(
    options.operands.filter((word) => !beginningOf(word).includes('=')).map((word) => textOf(word)),
    invocation,
  );
}

/** `make -f - <<< 'x:; id'`, `make -f <(curl …)`: recipes that are in no file of the workspace. */
function judgeRecipes(file: Word, context: EvaluationContext): void {
  const { report, state } = context;
  const isInput = /^(?:-|\/dev\/stdin)$/.test(textOf(file) ?? '');
  const { network } = isInput ? state.stdin.origin : file.origin;
  if (network) return raiseDownloadedCode(report, file.span);
  if (textOf(file) === undefined || (isInput && state.stdin.text === undefined))
    return report.raise('dangerous', 'dynamic-script', {
      text: "runs recipes that can't be determined",
      span: file.span,
    });
  if (!isInput) return;
  for (const recipe of String(state.stdin.text)
    .split(/\n\t|;/)
    .slice(1))
    context.walk.runText(recipe.replace(/^\s*[@+-]*/, ''), file.span, context);
}
