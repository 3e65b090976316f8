import {
  definePrograms,
  type Invocation,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { hasOption } from '../../options.ts';
import { beginningOf, textOf } from '../../word.ts';
import { loadsModules, valuesOf } from './loads-modules.ts';

const RUNS_TESTS: Pick<Rule, 'effects'> = { effects: [REPOSITORY_CODE, WRITES_UNKNOWN] };

/** Words of `c8 report` that neither write elsewhere nor load: names of its own reporters, bounds in percent. */
const REPORTS =
  /^(?:--reporter=(?:text|text-summary|text-lcov|json|json-summary|lcov|lcovonly|html|clover|cobertura|none)|--(?:check-coverage|all|per-file|skip-full)|--(?:lines|functions|branches|statements)(?:=\d+)?|\d+)$/;

/** Test runners of JavaScript. They run the project's code; options decide what else they write or load. */
export const javascriptTests = definePrograms(
  {
    names: ['vitest'],
    ...RUNS_TESTS,
    options:
      '-# -hvw -t: --run --watch --no-watch --reporter= --coverage? --no-coverage --coverage.enabled? --coverage.provider= --coverage.reporter= --coverage.include= --coverage.exclude= --coverage.all? --coverage.thresholds.lines= --coverage.thresholds.functions= --coverage.thresholds.branches= --coverage.thresholds.statements= --coverage.reportsDirectory=write-tree --testNamePattern= --test-name-pattern= --bail= --retry= --project= --changed? --silent? --no-color --globals --dom --environment= --threads --no-threads --pool= --maxWorkers= --max-workers= --minWorkers= --isolate --no-isolate --passWithNoTests --pass-with-no-tests --allowOnly --no-allowOnly --logHeapUsage --testTimeout= --test-timeout= --hookTimeout= --hook-timeout= --teardownTimeout= --shard= --sequence.shuffle --sequence.seed= --sequence.concurrent --typecheck --typecheck.only --exclude= --hideSkippedTests --no-file-parallelism --fileParallelism --no-cache --disableConsoleIntercept --disable-console-intercept --expandSnapshotDiff --mode= --slowTestThreshold= --standalone --clearScreen --no-clearScreen --printConsoleTrace --single-thread --tags-filter= --version --help --filesOnly',
    judge: (invocation) => {
      onlyVerbs(/^(?:init)$/)(invocation);
      loadsModules(
        valuesOf(
          invocation.options,
          '--reporter --environment --pool --coverage.reporter --coverage.provider',
        ),
        invocation.context,
      );
    },
    examples: {
      safe: ['vitest run', 'npx vitest run src', 'vitest --coverage', 'vitest run -t name --bail 1'],
      warning: [
        'vitest -u',
        'vitest init browser',
        'vitest run --root ../x',
        'vitest --config ./x.ts',
        'vitest --reporter=./x.ts',
      ],
    },
  },
  {
    names: ['jest'],
    ...RUNS_TESTS,
    options:
      '-# -bhiotwe -t: --coverage? --collectCoverage --collectCoverageFrom= --coverageReporters= --coverageProvider= --coverageDirectory=write-tree --coverageThreshold= --changedFilesWithAncestor --changedSince= --ci --color --colors --no-color --no-coverage --debug --detectOpenHandles --detectLeaks --env= --errorOnDeprecated --expand --findRelatedTests --forceExit --injectGlobals --json --lastCommit --listTests --logHeapUsage --maxConcurrency= --maxWorkers= --noStackTrace --notify --onlyChanged --onlyFailures --passWithNoTests --projects= --randomize --reporters= --runInBand --runTestsByPath --selectProjects= --ignoreProjects= --seed= --shard= --showConfig --showSeed --silent --testLocationInResults --testMatch= --testNamePattern= --testPathPattern= --testPathPatterns= --testPathIgnorePatterns= --testRegex= --testTimeout= --no-cache --cache --useStderr --verbose --watch --watchAll --no-watchman --bail? --version --help --workerIdleMemoryLimit= --workerThreads',
    judge: ({ options, context }) =>
      loadsModules(valuesOf(options, '--env --reporters --coverageReporters'), context),
    examples: {
      safe: ['jest --coverage', 'jest src/a.test.ts -t name', 'jest --runInBand --ci', 'jest -i'],
      warning: [
        'jest --config ./x.js',
        'jest --env=./x',
        'jest -u',
        'jest --clearCache',
        'jest --outputFile=x --json',
      ],
    },
  },
  {
    names: ['mocha', 'ava', 'tap', 'jasmine', 'karma'],
    ...RUNS_TESTS,
    options:
      '-# -bchAstTvVwFCjS -g: -f: -R: -m: -r: --require= --bail --grep= --fgrep= --invert --recursive --reporter= --timeout= --slow= --retries= --parallel --jobs= --exit --no-exit --full-trace --diff --no-diff --inline-diffs --color --colors --no-color --no-colors --ui= --spec= --extension= --exclude= --ignore= --sort --watch --watch-files= --watch-ignore= --forbid-only --forbid-pending --fail-zero --allow-uncaught --check-leaks --global= --dry-run --list-interfaces --list-reporters --delay --async-only --match= --fail-fast --no-worker-threads --serial --concurrency= --tap --verbose --version --help --no-coverage --disable-coverage --allow-empty-coverage --allow-incomplete-coverage --random= --seed= --filter= --stop-on-failure= --single-run --browsers= --log-level=',
    judge: (invocation) => {
      onlyVerbs(/^(?:init|start|reset-cache|config|plugin|repl|report|replay)$/)(invocation);
      loadsModules(
        valuesOf(invocation.options, '-r --require -R --reporter -u --ui --browsers'),
        invocation.context,
      );
      // For `tap` these letters store results, and rewrite expected ones.
      if (invocation.program === 'tap' && hasOption(invocation.options, '-s', '-S'))
        invocation.context.report.raise('warning', 'writes-file', {
          text: 'writes snapshots',
          span: invocation.span,
        });
    },
    examples: {
      safe: ['mocha', 'mocha -r ts-node/register', 'mocha -R dot --exit', 'ava --match x'],
      warning: ['mocha -r ./x', 'mocha -R ./x', 'tap -S', 'karma start'],
    },
  },
  {
    names: ['cypress', 'playwright'],
    ...RUNS_TESTS,
    options:
      '-# -hxq -g: -G: -j: -b: -s: -c: -C: --browser= --component --e2e --headed --headless --no-exit --quiet --spec= --grep= --grep-invert= --project= --workers= --retries= --reporter= --timeout= --global-timeout= --max-failures= --repeat-each= --shard= --fully-parallel --forbid-only --list --pass-with-no-tests --last-failed --only-changed? --ignore-snapshots --trace= --debug --version --help --fail-on-flaky-tests --no-deps --tag= --group= --parallel',
    judge: ({ options, context, span }) => {
      loadsModules(valuesOf(options, '-b --browser --reporter -c -C'), context);
      const [verb] = options.operands;
      if (verb === undefined && options.given.length > 0) return;
      if (/^(?:run|test|verify|version|info|show-report|merge-reports)$/.test(textOf(verb) ?? '')) return;
      context.report.raise('warning', 'unknown-command', {
        text: 'opens browsers, installs them or changes the project',
        span,
      });
      context.report.effect({ kind: 'network' });
    },
    examples: {
      safe: ['playwright test', 'npx playwright test a.spec.ts --project=chromium', 'cypress run --headless'],
      warning: [
        'playwright install',
        'playwright codegen x.example',
        'playwright test --update-snapshots',
        'cypress open',
        'cypress run --browser ./x',
        'cypress run -C x.ts',
        'playwright test --reporter=./x.ts',
        'playwright test --config ./x.ts',
      ],
    },
  },
  {
    names: ['c8', 'nyc'],
    ...RUNS_TESTS,
    style: 'posix',
    options:
      '-anrx -r: -x: -n: --all --reporter= --include= --exclude= --extension= --check-coverage --lines= --functions= --branches= --statements= --silent --per-file --skip-full --exclude-after-remap --report-dir=write-tree --reports-dir=write-tree --temp-dir=write-tree --temp-directory=write-tree --src= --clean --no-clean --100 --version --help',
    judge: ({ options, context }) => {
      const [verb, ...rest] = options.operands;
      loadsModules(valuesOf(options, '-r --reporter'), context);
      if (!/^(?:report|check-coverage)$/.test(textOf(verb) ?? ''))
        return context.walk.runWords(options.operands, context);
      const unusual = rest.find((word) => !REPORTS.test(textOf(word) ?? '-?'));
      if (unusual === undefined) return;
      context.report.raise('warning', 'unknown-option', {
        text: 'writes a report with an unknown option',
        span: unusual.span,
      });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['c8 vitest run', 'nyc --reporter=text mocha', 'c8 report --reporter=text --lines 80'],
      warning: [
        'c8 report --reporter=./x.js',
        'c8 --reporter=./x.js report',
        'c8 report "$x"',
        'nyc instrument src out',
        'c8 node x.js',
      ],
      dangerous: ['c8 rm -rf lib'],
    },
  },
);

/** Every operand is a name or a pattern of tests, except these first words. */
function onlyVerbs(others: RegExp): (invocation: Invocation) => void {
  return ({ options, context, span }) => {
    if (options.operands.some((word) => word.kind === 'dynamic' && beginningOf(word) === ''))
      context.report.raise('warning', 'may-be-option', {
        text: "runs tests that can't be determined in advance",
        span,
      });
    if (!others.test(textOf(options.operands[0]) ?? '')) return;
    context.report.raise('warning', 'unknown-command', {
      text: 'changes the project, or starts a server',
      span,
    });
  };
}
