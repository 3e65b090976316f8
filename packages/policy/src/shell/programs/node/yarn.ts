import { definePrograms, WRITES_UNKNOWN } from '../../program.ts';
import { literal, textOf } from '../../word.ts';
import { valueOf } from '../../options.ts';
import { isDryRun, publishesUnless } from '../dry-run.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';
import { judgeProgramText } from '../shells/interpreters.ts';
import { runRest, startedBy } from '../shells/run-rest.ts';
import { setsPackageSettings } from '../builds/package-settings.ts';
import { ASKS, installs, judgeFolder, PUBLISHES, READS, runsNamed, runsScript } from './node-packages.ts';

/** Yarn, and Bun as a package manager. */
export const yarn = definePrograms({
  names: ['yarn', 'bun'],
  options: '-sv -e: -p: --eval= --print= --silent --cwd=list --version',
  judge: (invocation) => {
    judgeFolder(invocation);
    const code = valueOf(invocation.options, '-e', '--eval', '-p', '--print');
    if (code === undefined) return;
    startedBy(invocation.context).report.raise('warning', 'unknown-script', {
      text: "runs code that isn't analysed",
      span: invocation.span,
    });
    invocation.context.report.effect(WRITES_UNKNOWN);
    judgeProgramText(code, invocation);
  },
  verbs: {
    'test run': runsScript,
    'install add remove upgrade up import link unlink dedupe set cache i rm update global':
      installs('yarn.lock'),
    config: setsPackageSettings,
    'list why versions help licenses': READS,
    pm: {
      ...READS,
      judge: ({ options, context, span }) => {
        const [verb] = options.operands;
        if (
          verb === undefined ||
          /^(?:ls|list|bin|hash|hash-string|hash-print|why)$/.test(textOf(verb) ?? '')
        )
          return;
        context.report.raise('warning', 'installs', { text: 'changes packages or their caches', span });
        context.report.effect(WRITES_UNKNOWN);
      },
    },
    'info outdated audit': ASKS,
    workspace: {
      style: 'posix',
      options: '--silent',
      judge: ({ options, context, span }) =>
        context.walk.runWords([literal('yarn', span), ...options.operands.slice(1)], context),
    },
    workspaces: {
      ...READS,
      judge: ({ options, words, context, span }) => {
        judgeInnerCommand(words, context);
        if (/^(?:list|info)$/.test(textOf(options.operands[0]) ?? '')) return;
        context.report.raise('warning', 'runs-script', { text: 'runs a command in every package', span });
        context.report.effect(WRITES_UNKNOWN);
      },
    },
    npm: publishesUnless(
      ({ words: [verb, ...words] }) => textOf(verb) === 'publish' && isDryRun(words, /^(?:--dry-run|-n)$/),
    ),
    // Yarn 1 ignores an unknown option, and publishes.
    publish: publishesUnless(({ program, words }) => program === 'bun publish' && isDryRun(words)),
    'login logout': PUBLISHES,
    exec: {
      style: 'posix',
      options:
        '-rs -F: --recursive --filter= --parallel --silent --no-reporter-hide-prefix --workspace-concurrency= --no-bail --top-level --quiet',
      judge: ({ options, context }) => runRest(options.operands, startedBy(context)),
    },
    'dlx create init x': {
      ...installs('yarn.lock'),
      code: 'runs-package',
      text: 'downloads and runs a package',
    },
  },
  otherVerb: runsNamed,
  noVerb: installs('yarn.lock'),
  examples: {
    safe: [
      'yarn workspace web test',
      'yarn workspaces list',
      'yarn test',
      'yarn --version',
      'bun test',
      'yarn lint',
      'yarn jest src',
      'bun pm ls',
    ],
    warning: [
      'bun pm cache rm',
      'bun pm trust x',
      'bun test --preload ./x',
      'yarn',
      'yarn add x',
      'yarn build',
      'yarn eslint --fix .',
      'bun x.ts',
      'yarn npm publish --dry-run --tolerate-republish',
      'bun publish --dry-run',
    ],
    dangerous: [
      'yarn publish --dry-run',
      'yarn npm publish',
      'yarn npm login --dry-run',
      'yarn publish',
      "bun -e 'Bun.$`rm -rf lib`'",
    ],
  },
});
