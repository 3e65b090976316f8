import { type Invocation, NETWORK, REPOSITORY_CODE, type Rule, WRITES_UNKNOWN } from '../../program.ts';
import { looksLikeFile } from '../../paths/path-words.ts';
import { touchWrite } from '../../paths/touch.ts';
import { beginningOf, literal, textOf } from '../../word.ts';

/** Rules that toolchains share: cargo, go, mix. */
export const READ_ONLY: Rule = {
  options:
    '-hqvVd -i: -e: -p: -F: --help --verbose --quiet --version --all --depth= --invert= --edges= --prefix= --no-dedupe --duplicates --charset= --package= --workspace --exclude= --features= --all-features --no-default-features --target= --locked --offline --frozen --color= --format= --format-version= --no-deps --filter-platform= --only= --output-format= --names --search= --method= --installed --toolchain= --pretty --charset= --verbose --umbrella',
};

export const RUNS_PROJECT: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'unknown-script',
  text: 'runs the project',
  effects: [WRITES_UNKNOWN, REPOSITORY_CODE],
};

/** Changes dependencies, and so these files and folders (`deps/**`); unknown ones when none is named. */
export function installsInto(...paths: readonly string[]): Rule {
  return {
    unknownOptions: 'any',
    level: 'warning',
    code: 'installs',
    text: 'installs or removes packages',
    effects: [NETWORK],
    judge: ({ words, context, span }) => {
      const elsewhere = words.some((word) =>
        /^(?:-p|-C|--package|--manifest-path|--modfile|-modfile)(?:=|$)/.test(beginningOf(word)),
      );
      if (paths.length === 0 || elsewhere) context.report.effect(WRITES_UNKNOWN);
      for (const path of paths) {
        const isTree = path.endsWith('/**');
        touchWrite(context, literal(isTree ? path.slice(0, -3) : path, span), {
          scope: isTree ? 'tree' : 'file',
        });
      }
    },
  };
}

export function endangers(code: string, text: string, ...effects: NonNullable<Rule['effects']>): Rule {
  return { unknownOptions: 'any', level: 'dangerous', code, text, effects };
}

/** A formatter of the whole project, or of the named files. */
export function formatsUnless(check: RegExp): (invocation: Invocation) => void {
  return ({ words, context, span }) => {
    if (words.some((word) => check.test(textOf(word) ?? ''))) return;
    const files = words.filter((word) => {
      const text = beginningOf(word);
      return !text.startsWith('-') && looksLikeFile(text) && !text.endsWith('...');
    });
    context.report.raise('warning', 'formats', { text: 'rewrites files', span });
    if (files.length === 0) touchWrite(context, literal('.', span), { scope: 'tree' });
    for (const word of files) touchWrite(context, word);
  };
}
