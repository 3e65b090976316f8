import { definePrograms, named, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { beginningOf, literal, textOf } from '../../word.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';
import { loadsModules, valuesOf } from './loads-modules.ts';
import { isReckless } from '../builds/recipe-targets.ts';

/** Task runners and builders of JavaScript. */
export const javascriptBuilds = definePrograms(
  {
    names: ['turbo', 'nx', 'lerna'],
    effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
    options:
      '-# -hF: -t: -p: --filter= --force --concurrency= --no-cache --continue? --parallel? --only --affected --output-logs= --log-order= --log-prefix= --summarize? --dry? --dry-run? --graph?write --ui= --no-daemon --daemon --env-mode= --targets= --target= --projects= --exclude= --base= --head= --files= --uncommitted --untracked --skip-nx-cache --skipNxCache --verbose --output-style= --nxBail --since= --scope= --ignore= --stream --no-bail --concurrency= --version --help --team= --cache=',
    judge: ({ program, options, context, words, span }) => {
      judgeInnerCommand(words, context);
      const texts = options.operands.map((word) => textOf(word) ?? '');
      const verbs = texts.filter((text) => !/^(?:run|run-many|affected|exec)$/.test(text));
      const targets = options.given
        .filter(({ name }) => /^(?:-t|--targets?)$/.test(name))
        .map(({ value }) => textOf(value) ?? '');
      // `turbo run test deploy` and `nx run-many -t lint deploy` do both; of `nx test app` the first word is the
      // action.
      const isMany = program === 'turbo' || targets.length > 0;
      const tasks = isMany ? [...targets, ...verbs] : verbs.slice(0, 1);
      const reckless = tasks.find((task) => isReckless(task));
      if (reckless !== undefined)
        return context.report.raise('dangerous', 'deploys', { text: `runs ${program} ${reckless}`, span });
      if (
        tasks.length > 0 &&
        tasks.every((task) =>
          /^(?:[\w@/-]+:)?(?:test|lint|check|typecheck|type-check)(?:[:-]\w+)?$/.test(task),
        )
      )
        return;
      context.report.raise('warning', 'builds', { text: 'builds or serves the project', span });
    },
    examples: {
      safe: ['turbo run test', 'nx test app', 'nx affected -t lint', 'turbo lint --filter=web'],
      warning: [
        'turbo run build',
        'turbo run lint --graph=x.html',
        'turbo test --cwd ../x',
        'nx test app --runner=./x',
      ],
      dangerous: ['lerna exec -- rm -rf lib', 'turbo run test deploy', 'nx run-many -t lint deploy'],
    },
  },
  {
    names: ['knip'],
    effects: [REPOSITORY_CODE],
    options:
      '-hdnW: --workspace= --production --strict --debug --no-progress --reporter= --include= --exclude= --dependencies --exports --files --include-entry-exports --include-libs --isolate-workspaces --max-issues= --no-exit-code --no-config-hints --treat-config-hints-as-errors --no-gitignore --performance --cache --tags= --preprocessor= --preprocessor-options= --reporter-options= --trace --trace-export= --trace-file= --version --help --watch --directory=list --memory --fix --tsConfig=',
    judge: ({ options, context, span }) => {
      loadsModules(valuesOf(options, '--reporter --preprocessor'), context);
      if (!options.given.some(({ name }) => name === '--fix')) return;
      context.report.raise('warning', 'formats', { text: 'rewrites files', span });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['knip', 'knip --production'],
      warning: [
        'knip --reporter ./x.ts',
        'knip --preprocessor ./x.ts',
        'knip --fix',
        'knip --fix --allow-remove-files',
      ],
    },
  },
  {
    names: named(
      'rimraf del-cli shx cross-env nodemon concurrently npm-run-all vite webpack rollup esbuild next nuxt tsup storybook ng expo',
    ),
    unknownOptions: 'any',
    effects: [REPOSITORY_CODE, WRITES_UNKNOWN],
    judge: ({ program, words, context, span }) => {
      if (program === 'rimraf' || program === 'del-cli')
        return context.report.raise('dangerous', 'delete-recursive', { text: 'deletes recursively', span });
      if (program === 'shx') return context.walk.runWords(words, context);
      if (program === 'cross-env') return context.walk.runWords([literal('env', span), ...words], context);
      if (program === 'concurrently')
        for (const word of words)
          if (textOf(word)?.includes(' ') === true)
            context.walk.runText(beginningOf(word), word.span, context);
      judgeInnerCommand(words, context);
      context.report.raise('warning', 'builds', { text: 'builds or serves the project', span });
    },
    examples: {
      warning: ['vite build', 'next dev', 'tsup src/index.ts'],
      dangerous: ['rimraf lib', 'shx rm -rf lib', 'cross-env A=1 rm -rf lib'],
    },
  },
);
