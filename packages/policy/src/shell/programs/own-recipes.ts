import { absolutePath } from '../paths.ts';
import type { Invocation } from '../program.ts';
import { beginningOf } from '../word.ts';
import { wasReplaced } from '../written.ts';

/** Where recipes stand, by the program that runs them. */
const FILES: Readonly<Record<string, RegExp>> = {
  make: /\/(?:GNUmakefile|[mM]akefile|[^/]+\.mk)$/,
  just: /\/(?:\.?justfile|[^/]+\.just)$/i,
  ninja: /\/[^/]+\.ninja$/,
  rake: /\/(?:rakefile(?:\.rb)?|[^/]+\.rake)$/i,
};
const NAMES_FILE = /^-f|^--(?:file|makefile|justfile|rakefile)(?:=|$)/;

/** `printf … > web/package.json; npm --prefix web test`: a script that the line wrote is no script of the project. */
export function judgeOwnScripts({ scene, span }: Invocation): void {
  if (scene.state.cwd === undefined || !wasReplaced(absolutePath('package.json', scene.state.cwd), scene))
    return;
  scene.report.raise('warning', 'unknown-script', 'runs scripts that this line wrote', span);
}

/** `make -f x.mk`, `cp x Makefile; make`: recipes that the line brings are no recipes of the project. */
export function judgeOwnRecipes({ program, words, scene, span }: Invocation): void {
  const file = FILES[program.replace(/^[gb](?=make$)/, '')];
  if (file === undefined) return;
  const isNamed = words.some((word) => NAMES_FILE.test(beginningOf(word)));
  if (!isNamed && !scene.walk.written.keys().some((path) => file.test(path))) return;
  scene.report.raise('warning', 'unknown-script', 'runs recipes that this line names or wrote', span);
}
