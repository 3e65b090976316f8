import { definePrograms, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { textOf } from '../../word.ts';
import { hasOption } from '../../options.ts';
import { formats } from '../builds/formatters.ts';
import { loadsModules, valuesOf } from './loads-modules.ts';
import { READS } from './node-packages.ts';

/** Options of the compiler that always write. */
const WRITES_OUTPUT =
  /^--?(?:outDir|outFile|declarationDir|tsBuildInfoFile|generateTrace|generateCpuProfile|init|build|b|incremental|composite)$|^@/i;

/** Compilers, linters and formatters of JavaScript. An unlisted option may do more than read. */
export const javascript = definePrograms(
  {
    names: ['tsc', 'vue-tsc', 'svelte-check', 'tsgo'],
    unknownOptions: 'any',
    effects: [REPOSITORY_CODE],
    judge: ({ words, context, span, program }) => {
      const texts = words.map((word) => textOf(word) ?? '');
      const readsOnly = texts.some((text) =>
        /^--?noEmit$|^--showConfig$|^--listFilesOnly$|^--version$|^-v$|^--help$|^-h$/i.test(text),
      );
      const writes = texts.some((text, at) =>
        (texts[at + 1] === 'false' ? /^--?noEmit$/i : WRITES_OUTPUT).test(text),
      );
      if ((readsOnly || program === 'svelte-check') && !writes) return;
      context.report.raise('warning', 'builds', { text: 'writes compiled files', span });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['tsc --noEmit', 'tsc -p . --noEmit', 'tsc --version'],
      warning: [
        'tsc',
        'tsc --build',
        'tsc --noEmit false',
        'tsc --noEmit --noEmit false',
        'tsc --noEmit -p ../x',
        'tsc --noEmit @args',
      ],
    },
  },
  {
    names: ['eslint', 'oxlint', 'stylelint', 'tslint', 'standard', 'xo', 'jshint'],
    options:
      '-# -hvq -c: -f: -o:write -p: -t: -e: -i: -D: -A: -W: --config= --no-config-lookup --no-eslintrc --no-config --env= --ext= --extension= --global= --globals= --parser= --parser-options= --plugin= --rule= --fix --fix-dry-run --fix-type= --fix-suggestions --fix-dangerously --ignore-path= --no-ignore --ignore-pattern= --ignore= --stdin --stdin-filename= --quiet --max-warnings= --pass-on-no-patterns --no-error-on-unmatched-pattern --exit-on-fatal-error --no-warn-ignored --output-file=write --format= --formatter= --color --no-color --no-inline-config --report-unused-disable-directives --report-unused-disable-directives-severity= --report-needless-disables --report-invalid-scope-disables --report-descriptionless-disables --cache --cache-file=write --cache-location=write --cache-strategy= --env-info --debug --print-config= --stats --flag= --rulesdir= --resolve-plugins-relative-to= --concurrency= --deny= --allow= --warn= --deny-warnings --threads= --import-plugin --react-perf-plugin --jest-plugin --vitest-plugin --jsx-a11y-plugin --nextjs-plugin --promise-plugin --node-plugin --type-aware --silent --rules --tsconfig= --disable-nested-config --ignore-disables --disable-default-ignores --allow-empty-input --globby-options= --config-basedir= --verbose --version --help --project= --exclude= --json --dot --enable= --disable= --space --semicolon --prettier',
    judge: (invocation) => {
      const { program, options, context, span } = invocation;
      formats({ check: /^--fix-dry-run$/, write: /^--fix(?:-suggestions|-dangerously)?$/ })(invocation);
      // For the others it names what to ignore.
      if (program !== 'tslint' || !hasOption(options, '-i')) return;
      context.report.raise('warning', 'writes-file', { text: 'writes settings', span });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: [
        'eslint src',
        'eslint -c eslint.config.ci.js src',
        'eslint . --max-warnings 0',
        'oxlint packages',
        'stylelint "**/*.css"',
      ],
      warning: [
        'eslint --fix src',
        'eslint src/x.ts --fix',
        'eslint --rulesdir ./x src',
        'eslint --config x.config.js src',
        'eslint -o out.txt src',
        'eslint --init',
        'tslint -i',
        'stylelint --custom-syntax ./x a.css',
        'eslint ../x',
      ],
    },
  },
  {
    names: ['markdownlint', 'markdownlint-cli2'],
    options:
      '-dhjqsV -f -c: -i: -p: -r: -o:write --config= --dot --enable= --disable= --fix --ignore= --ignore-path= --json --output=write --quiet --rules= --stdin --version --help --no-globs',
    judge: (invocation) => {
      formats({ check: undefined, write: /^(?:-f|--fix)$/ })(invocation);
      loadsModules(valuesOf(invocation.options, '-r --rules'), invocation.context);
    },
    examples: {
      safe: ['markdownlint docs', "markdownlint-cli2 '**/*.md'"],
      warning: [
        'markdownlint -f README.md',
        'markdownlint --rules ./x.js a.md',
        'markdownlint -o x.txt docs',
      ],
    },
  },
  {
    names: ['oxfmt'],
    options:
      '-hVc: --check --list-different --write --stdin-filepath= --config= --ignore-path= --with-node-modules --no-error-on-unmatched-pattern --threads= --disable-nested-config --version --help',
    judge: (invocation) => {
      if (hasOption(invocation.options, '--stdin-filepath')) return;
      formats({ check: /^--(?:check|list-different)$/, write: undefined })(invocation);
    },
    examples: {
      safe: ['oxfmt --check', 'oxfmt --list-different src', 'oxfmt --stdin-filepath=a.ts'],
      warning: ['oxfmt', 'oxfmt src', 'oxfmt a.ts'],
    },
  },
  {
    names: ['prettier', 'dprint'],
    options:
      '-# -hvucwl --check --list-different --write --config= --no-config --config-precedence= --no-editorconfig --find-config-path= --file-info= --ignore-path= --plugin= --parser= --stdin-filepath= --log-level= --loglevel= --ignore-unknown --no-error-on-unmatched-pattern --cache --cache-location=write --cache-strategy= --no-cache --color --no-color --support-info --debug-check --insert-pragma --require-pragma --tab-width= --print-width= --use-tabs --no-semi --semi --single-quote --no-single-quote --trailing-comma= --bracket-spacing --no-bracket-spacing --arrow-parens= --prose-wrap= --end-of-line= --quote-props= --jsx-single-quote --html-whitespace-sensitivity= --embedded-language-formatting= --single-attribute-per-line --bracket-same-line --object-wrap= --with-node-modules --version --help --staged --diff --excludes= --allow-no-files',
    judge: formats({ check: /^(?:--check|-c|--list-different|-l)$/, write: /^(?:--write|-w|fmt)$/ }),
    examples: {
      safe: ['prettier --check src', 'prettier src/a.ts', 'prettier -l .', 'dprint check'],
      warning: ['prettier --write src/x.ts', 'prettier -w .', 'prettier --plugin=./x a.ts', 'dprint fmt'],
    },
  },
  {
    names: ['biome'],
    verbs: {
      'check lint format ci': {
        options:
          '--write --fix --apply --apply-unsafe --unsafe --config-path= --max-diagnostics= --diagnostic-level= --skip-errors --skip-parse-errors --error-on-warnings --no-errors-on-unmatched --reporter= --files-max-size= --files-ignore-unknown= --vcs-enabled= --changed --staged --since= --only= --skip= --verbose --colors= --json-formatter-enabled= --linter-enabled= --formatter-enabled= --organize-imports-enabled= --assist-enabled= --enforce-assist= --stdin-file-path= --indent-style= --indent-width= --line-width= --log-level= --log-kind= --use-server --suppress --reason=',
        judge: formats({ check: undefined, write: /^--(?:write|fix|apply|apply-unsafe|unsafe|suppress)$/ }),
      },
      'version help explain rage': READS,
    },
    examples: { safe: ['biome check .', 'biome ci'], warning: ['biome format --write .', 'biome init'] },
  },
);
