import { definePrograms, named, REPOSITORY_CODE, WRITES_UNKNOWN } from '../program.ts';
import { beginningOf, literal, textOf } from '../word.ts';
import { judgeInnerCommand } from './inner-command.ts';
import { formats } from './formatters.ts';
import { READS } from './node-packages.ts';

/** Compilers, linters and test runners of JavaScript. */
export const javascript = definePrograms(
  {
    names: ['tsc', 'vue-tsc', 'svelte-check', 'tsgo'],
    unknownOptions: 'any',
    judge: ({ words, scene, span, program }) => {
      const texts = words.map((word) => textOf(word) ?? '');
      const looks = texts.some(
        (text, at) =>
          /^--noEmit$|^--showConfig$|^--listFilesOnly$|^--version$|^-v$|^--help$|^-h$/i.test(text) &&
          texts[at + 1] !== 'false',
      );
      scene.report.effect(REPOSITORY_CODE);
      const writes = texts.some((text) =>
        /^--(?:outDir|outFile|declarationDir|tsBuildInfoFile|generateTrace|generateCpuProfile|init|build|b|incremental)$|^-b$/i.test(
          text,
        ),
      );
      if ((looks || program === 'svelte-check') && !writes) return;
      scene.report.raise('warning', 'builds', 'writes what it compiles', span);
      scene.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['tsc --noEmit', 'tsc -p . --noEmit', 'tsc --version'],
      warning: ['tsc', 'tsc --build', 'tsc --noEmit false'],
    },
  },
  {
    names: ['eslint', 'oxlint', 'stylelint', 'tslint', 'standard', 'xo', 'markdownlint', 'jshint'],
    unknownOptions: 'any',
    judge: formats({
      check: /^--fix-dry-run$/,
      write:
        /^(?:--fix(?:-suggestions|-dangerously)?|--fix-type|--init|--suppress-all|--prune-suppressions)$/,
      values:
        /^(?:--ext|--max-warnings|--rule|--format|-f|--config|-c|--plugin|--parser|--env|--ignore-pattern|--ignore-path|--cache-location|--rulesdir|--resolve-plugins-relative-to)$/,
    }),
    examples: {
      safe: ['eslint src', 'eslint . --max-warnings 0', 'oxlint packages'],
      warning: [
        'eslint --fix src',
        'eslint src/x.ts --fix',
        'eslint --rulesdir ./x src',
        'eslint -o out.txt src',
      ],
    },
  },
  {
    names: ['prettier', 'oxfmt', 'dprint'],
    unknownOptions: 'any',
    judge: formats({
      check: /^(?:--check|-c|--list-different|-l)$/,
      write: /^(?:--write|-w|fmt)$/,
      values:
        /^(?:--config|--ignore-path|--plugin|--parser|--log-level|--tab-width|--print-width|--stdin-filepath)$/,
    }),
    examples: {
      safe: ['prettier --check src', 'prettier src/a.ts', 'prettier -l .'],
      warning: ['prettier --write src/x.ts', 'prettier -w .', 'prettier --plugin=./x a.ts'],
    },
  },
  {
    names: ['biome'],
    verbs: {
      'check lint format ci': {
        unknownOptions: 'any',
        judge: formats({
          check: undefined,
          write: /^--(?:write|fix|apply|apply-unsafe|unsafe)$/,
          values: /^--(?:config-path|max-diagnostics)$/,
        }),
      },
      'version help explain rage': READS,
    },
    examples: { safe: ['biome check .', 'biome ci'], warning: ['biome format --write .', 'biome init'] },
  },
  {
    names: named('vitest jest mocha ava tap jasmine cypress playwright c8 nyc karma'),
    unknownOptions: 'any',
    effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
    judge: ({ words, scene, span, program }) => {
      const odd = words.some((word) =>
        /^(?:-u|--update|--updateSnapshot|-r|--require|--config|-c|--globalSetup|--reporter-?options?|--outputFile|--output|-o|--import|--loader|install|--ui|--init|--api)(?:=|$)/i.test(
          textOf(word) ?? '--config',
        ),
      );
      const wraps = program === 'c8' || program === 'nyc';
      if (wraps)
        scene.walk.runWords(
          words.filter((word) => !beginningOf(word).startsWith('-')),
          scene,
        );
      if (odd)
        scene.report.raise(
          'warning',
          'unknown-option',
          'a test run that writes or loads more than usual',
          span,
        );
    },
    examples: {
      safe: ['vitest run', 'jest --coverage', 'npx vitest run src', 'mocha'],
      warning: ['vitest -u', 'jest --config ./x.js'],
    },
  },
  {
    names: named(
      'rimraf del-cli shx cross-env nodemon concurrently npm-run-all turbo nx lerna vite webpack rollup esbuild next nuxt knip tsup storybook ng expo',
    ),
    unknownOptions: 'any',
    effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
    judge: ({ program, words, scene, span }) => {
      const first = textOf(words[0]) ?? '';
      if (program === 'rimraf' || program === 'del-cli')
        return scene.report.raise('dangerous', 'delete-recursive', 'deletes recursively', span);
      if (program === 'shx') return scene.walk.runWords(words, scene);
      if (program === 'cross-env') return scene.walk.runWords([literal('env', span), ...words], scene);
      const tests =
        /^(?:knip)$/.test(program) ||
        (/^(?:turbo|nx|lerna)$/.test(program) && /^(?:test|lint|check|typecheck)$/.test(first));
      if (program === 'concurrently')
        for (const word of words)
          if (textOf(word)?.includes(' ') === true) scene.walk.runText(textOf(word) ?? '', word.span, scene);
      judgeInnerCommand(words, scene);
      if (!tests) scene.report.raise('warning', 'builds', 'builds or serves the project', span);
    },
    examples: {
      warning: ['vite build', 'next dev', 'turbo run build'],
      dangerous: ['rimraf lib', 'shx rm -rf lib', 'cross-env A=1 rm -rf lib'],
    },
  },
);
