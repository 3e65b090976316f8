/** An exit code or a range of them: `1`, `1-31`. */
type Codes = string;

/**
 * Any code that a program chooses: higher ones are those of shells and wrappers, for not found, killed or timed out.
 */
export const ANY_CODE: Codes = '1-123';

type Rows = readonly (readonly [Codes, string])[];

const TESTS: Rows = [
  [
    '1',
    'vitest, jest, playwright, cypress, ava, tap, karma, wtr, pest, rspec, minitest, bats, shellspec, ginkgo',
  ],
  [
    '1',
    'go test, deno test, bun test, swift test, dotnet test, flutter test, dart test, tox, nox, unittest, pytest',
  ],
  ['1-2', 'phpunit, paratest, behat, mix test'],
  ['100', 'cargo nextest'],
  ['101', 'cargo test, cargo clippy, cargo check'],
  ['8', 'ctest'],
  [ANY_CODE, 'mocha, jasmine, prove, gotestsum'],
];

const CHECKERS: Rows = [
  [
    '1',
    'eslint, oxlint, biome, standard, xo, prettier, oxfmt, knip, madge, markdownlint, markdownlint-cli2, cspell',
  ],
  [
    '1',
    'ruff, flake8, mypy, pyright, basedpyright, black, isort, bandit, pycodestyle, pydocstyle, codespell',
  ],
  ['1', 'cargo fmt, rustfmt, golangci-lint, staticcheck, go vet, revive, shellcheck, shfmt'],
  [
    '1',
    'rubocop, standardrb, erb_lint, reek, phpstan, phpcs, mix credo, mix dialyzer, mix format, hadolint, actionlint',
  ],
  [
    '1',
    'ktlint, detekt, clang-format, cppcheck, buf lint, buf breaking, sqlfluff, ansible-lint, semgrep, commitlint',
  ],
  ['1', 'pip check, pre-commit run, helm lint, deno lint, deno check, deno fmt'],
  ['1-2', 'tsc, vue-tsc, tsgo, yamllint, psalm, swiftlint, tflint'],
  ['2', 'stylelint'],
  ['3', 'terraform fmt'],
  ['20', 'dprint check'],
  // A bit mask, except 1 and 32: fatal errors and wrong options.
  ['2-31', 'pylint'],
];

/**
 * Programs that answer by their exit code: with these codes they did their work. Any other code, and any other program,
 * means a failure. By name, or by name and verb; the codes are from the programs' manuals.
 */
export const ANSWER_PROGRAMS = byName([
  // Searches and comparisons: no match, a difference.
  [
    '1',
    'grep, egrep, fgrep, zgrep, rg, ag, ack, diff, diff3, sdiff, cmp, zdiff, colordiff, pgrep, expr, let, test, [',
  ],
  [
    '1',
    'which, command, type, hash, fuser, mountpoint, git grep, git merge-base, git check-ignore, git show-ref',
  ],
  ['1', 'git rev-parse, git config'],
  ['1-2', 'git diff, getent'],
  ['2', 'git ls-remote, terraform plan'],
  ['1-4', 'jq'],
  // Known problems of dependencies, which others publish.
  ['1', 'npm audit, pnpm audit, npm outdated, pnpm outdated, pip-audit, cargo deny, cargo audit'],
  ['1', 'sha256sum, sha1sum, md5sum'],
  ...TESTS,
  ...CHECKERS,
]);

/** Test runners, linters and type checkers: their answer depends on the files of the project alone. */
export const CHECK_PROGRAMS = byName([...TESTS, ...CHECKERS]);

/** Builds, likewise; by name, or by name and verb. */
export const BUILD_PROGRAMS: ReadonlySet<string> = new Set(
  (
    'swc, esbuild, rollup, webpack, tsup, vite build, next build, nuxt build, astro build, ng build, ' +
    'cargo build, go build, swift build, dotnet build, zig build, mix compile, javac, gcc, g++, clang, clang++, ' +
    'gradle build, gradle assemble, gradlew build, gradlew assemble, mvn compile, mvn package, ' +
    'mvnw compile, mvnw package, bazel build, bazel test'
  ).split(', '),
);

/** Usual names of a project's builds. */
export const BUILD_SCRIPT = /^(?:build|compile|bundle)(?:[:._-].*)?$/;

/** Programs that start a project's own tests or checks, and their codes when those fail. */
export const SCRIPT_RUNNERS = byName([
  [ANY_CODE, 'npm, pnpm, yarn, bun, deno, composer, just'],
  ['2', 'make, gmake'],
  ['1', 'gradle, gradlew, mvn, mvnw, rake, rails, turbo, nx, lerna, mise'],
  ['201', 'task'],
]);

/** Usual names of a project's tests and checks: `test`, `test:unit`, `lint`, `check-types`. */
export const CHECK_SCRIPT =
  /^(?:t|tst|tests?|specs?|unit|integration|e2e|lint|checks?|typecheck|types|tsc|format|fmt|style|verify|audit|coverage)(?:[:._-].*)?$/;

/** How a program starts another: `timeout 60 vitest`, `npm exec -- vitest`, `python -m pytest`. */
export type AnswerProgram = {
  /** The word before it; without one it follows the program itself. */
  readonly verbs?: readonly string[];
  /** The word may be left out: `yarn vitest`. */
  readonly isVerbOptional?: boolean;
  /** Number of the starter's own words before it. */
  readonly own?: number;
  /** The option before it. */
  readonly option?: string;
};

const DIRECT: AnswerProgram = {};
const PYTHON: AnswerProgram = { option: '-m' };
const RUN: AnswerProgram = { verbs: ['run'] };

export const STARTERS: ReadonlyMap<string, AnswerProgram> = new Map([
  ...['env', 'cross-env', 'nice', 'ionice', 'nohup', 'stdbuf', 'time', 'npx', 'bunx', 'uvx', 'c8', 'nyc'].map(
    (name) => [name, DIRECT] as const,
  ),
  ['timeout', { own: 1 }],
  ['npm', { verbs: ['exec', 'x'] }],
  ['pnpm', { verbs: ['exec', 'dlx'], isVerbOptional: true }],
  ['yarn', { verbs: ['exec', 'dlx', 'run'], isVerbOptional: true }],
  ['bun', { verbs: ['x', 'run'], isVerbOptional: true }],
  ['bundle', { verbs: ['exec'] }],
  ...['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'coverage'].map((name) => [name, RUN] as const),
  ...['python', 'python3'].map((name) => [name, PYTHON] as const),
]);

/** Options of these programs that take the next word. */
export const VALUED_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    env: '-u -C --unset --chdir',
    nice: '-n',
    ionice: '-c -n',
    stdbuf: '-i -o -e',
    timeout: '-k -s --kill-after --signal',
    time: '-f -o',
    git: '-C -c',
    npx: '-p --package -w --workspace',
    npm: '-p --package -w --workspace --prefix',
    pnpm: '--filter -F -C --dir',
    yarn: '--cwd',
    bun: '--cwd',
    uv: '--with --python -p --group --extra --directory --project',
    uvx: '--with --from --python -p',
    make: '-C -f -j',
    gradle: '-p',
    mvn: '-f -pl',
  }).map(([name, options]) => [name, options.split(' ')] as const),
);

function byName(rows: Rows): ReadonlyMap<string, Codes> {
  return new Map(rows.flatMap(([codes, names]) => names.split(', ').map((name) => [name, codes] as const)));
}
