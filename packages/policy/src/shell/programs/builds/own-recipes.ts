import { absolutePath } from '../../paths/paths.ts';
import type { Invocation } from '../../program.ts';
import { beginningOf } from '../../word.ts';
import { wasReplaced } from '../../paths/written.ts';

/** Files with recipes, by the program that runs them. */
const FILES: Readonly<Record<string, RegExp>> = {
  make: /\/(?:GNUmakefile|[mM]akefile|[^/]+\.mk)$/,
  just: /\/(?:\.?justfile|[^/]+\.just)$/i,
  ninja: /\/[^/]+\.ninja$/,
  rake: /\/(?:rakefile(?:\.rb)?|[^/]+\.rake)$/i,
};
const NAMES_FILE = /^-f|^--(?:file|makefile|justfile|rakefile)(?:=|$)/;

/** `printf … > web/package.json; npm --prefix web test`: a script that the line wrote is no script of the project. */
export function judgeOwnScripts({ context, span }: Invocation): void {
  if (
    context.state.cwd === undefined ||
    !wasReplaced(absolutePath('package.json', context.state.cwd), context)
  )
    return;
  context.report.raise('warning', 'unknown-script', { text: 'runs scripts that this line wrote', span });
}

/** `make -f x.mk`, `cp x Makefile; make`: recipes of the line are not recipes of the project. */
export function judgeOwnRecipes({ program, words, context, span }: Invocation): void {
  const file = FILES[program.replace(/^[gb](?=make$)/, '')];
  if (file === undefined) return;
  const isNamed = words.some((word) => NAMES_FILE.test(beginningOf(word)));
  if (!isNamed && !context.walk.written.keys().some((path) => file.test(path))) return;
  context.report.raise('warning', 'unknown-script', {
    text: 'runs recipes that this line names or wrote',
    span,
  });
}
