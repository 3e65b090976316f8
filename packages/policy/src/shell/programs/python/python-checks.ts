import {
  definePrograms,
  type Invocation,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { hasOption } from '../../options.ts';
import { textOf } from '../../word.ts';
import { formats } from '../builds/formatters.ts';
import { importsWarnings, ownSettings, reportsByCode, settles, takesOptions } from './python-settings.ts';
import { valuesOf } from '../node/loads-modules.ts';

/** Files that a Python test run leaves behind. */
export const PYTEST_CACHES: NonNullable<Rule['effects']> = [
  REPOSITORY_CODE,
  { kind: 'write', path: '.pytest_cache', scope: 'tree' },
  { kind: 'write', path: '**/__pycache__/**', scope: 'glob' },
];

const READS: Rule = { options: '-hqvV --help --quiet --verbose --version --output-format= --isolated --all' };

/** Tests, type checks, linters and formatters of Python. An unlisted option may do more than read. */
export const pythonChecks = definePrograms(
  {
    names: ['pytest', 'py.test'],
    effects: PYTEST_CACHES,
    options:
      '-# -hxqvlsV -k: -m: -n: -r: -W: -p: --exitfirst --maxfail= --strict-config --strict-markers --strict --ignore= --ignore-glob= --deselect= --collect-only --co --pyargs --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --sw-skip --stepwise-skip --stepwise-reset --lfnf= --last-failed-no-failures= --durations= --durations-min= --verbosity= --no-header --no-summary --no-fold-skipped --disable-warnings --disable-pytest-warnings --showlocals --no-showlocals --tb= --xfail-tb --show-capture= --full-trace --color= --code-highlight= --capture= --runxfail --fixtures --funcargs --fixtures-per-test --markers --setup-only --setup-show --setup-plan --doctest-modules --doctest-glob= --doctest-continue-on-failure --import-mode= --keep-duplicates --collect-in-virtualenv --noconftest --version --help --cov? --cov-branch --no-cov --cov-fail-under= --cov-report= --cov-append --cov-context= --no-cov-on-fail --timeout= --timeout-method= --numprocesses= --dist= --maxprocesses= --reruns= --reruns-delay= --only-rerun= --randomly-seed= --random-order --asyncio-mode= --forked --looponfail --benchmark-skip --benchmark-only --benchmark-disable --benchmark-enable --hypothesis-show-statistics --hypothesis-seed= --reuse-db --create-db --nomigrations --no-migrations --ds= --log-level= --log-cli-level= --log-format= --log-cli= --snapshot-details --pdb --trace-config --debug?',
    judge: (invocation) => {
      const { options, context, span } = invocation;
      takesOptions(invocation);
      importsWarnings(valuesOf(options, '-W'), context);
      const plugs = options.given.some(
        ({ name, value }) =>
          (name === '-p' && textOf(value)?.startsWith('no:') !== true) ||
          name === '--debug' ||
          (name === '--cov-report' &&
            !/^(?:term|term-missing)?(?::skip-covered)?$/.test(textOf(value) ?? '?')),
      );
      const unknown = options.operands.some((word) => word.kind === 'dynamic' && word.splits);
      if (!plugs && !unknown) return;
      context.report.raise('warning', 'unknown-option', {
        text: 'runs tests with options that may write or load more than usual',
        span,
      });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: [
        'pytest tests/unit',
        'pytest -x -q',
        'pytest -k foo --tb=short',
        'pytest --cov=src',
        'pytest -p no:cacheprovider',
        'pytest -W ignore::DeprecationWarning',
      ],
      warning: [
        'pytest @x',
        'pytest -p evil',
        'pytest -W error::evil.X',
        'pytest -W "$w"',
        'pytest ../other',
        'pytest --cov-report=html',
      ],
    },
  },
  {
    names: ['mypy', 'pyright', 'basedpyright'],
    effects: [REPOSITORY_CODE],
    options:
      '-# -hvVwp: -m: --module= --package= --strict --ignore-missing-imports --follow-imports= --no-incremental --incremental --show-error-codes --hide-error-codes --show-error-context --show-column-numbers --show-error-end --pretty --no-pretty --no-color-output --no-error-summary --check-untyped-defs --disallow-untyped-defs --disallow-untyped-calls --disallow-incomplete-defs --disallow-any-generics --no-implicit-optional --no-strict-optional --strict-optional --warn-unused-ignores --warn-return-any --warn-unreachable --warn-unused-configs --warn-redundant-casts --namespace-packages --explicit-package-bases --exclude= --python-version= --platform= --disable-error-code= --enable-error-code= --enable-incomplete-feature= --strict-equality --allow-redefinition --skip-version-check --outputjson --project= --pythonversion= --pythonplatform= --level= --warnings --stats --threads? --dependencies --verifytypes= --ignoreexternal --skipunannotated --watch --no-site-packages --scripts-are-modules --non-interactive --version --help --verbose --sqlite-cache --cache-fine-grained --fast-exit --local-partial-types -c: --config-file=',
    judge: (invocation) => {
      ownSettings('--config-file')(invocation);
      takesOptions(invocation);
    },
    examples: {
      safe: [
        'mypy --config-file pyproject.toml src',
        'mypy src',
        'mypy --strict -p app',
        'pyright',
        'pyright --outputjson src',
      ],
      warning: [
        'mypy --install-types',
        'mypy --html-report x src',
        'mypy @x',
        'pyright --createstub x',
        'mypy --config-file ./x src',
      ],
    },
  },
  {
    names: [
      'flake8',
      'pylint',
      'bandit',
      'pydocstyle',
      'pycodestyle',
      'vulture',
      'pyflakes',
      'mccabe',
      'radon',
      'codespell_lib',
      'interrogate',
      'pip-audit',
      'safety',
      'import-linter',
      'lint-imports',
      'deptry',
    ],
    effects: [REPOSITORY_CODE],
    options:
      '-# -hqvrEnsc: -x: -f: -j: -l -i -ll -lll -iii -a -m: -t: -p: -e: -b: --help --quiet --verbose --version --max-line-length= --max-complexity= --max-doc-length= --ignore= --select= --extend-ignore= --extend-select= --per-file-ignores= --exclude= --extend-exclude= --filename= --count --statistics --benchmark --show-source --no-show-source --format= --color= --hang-closing --indent-size= --jobs= --disable= --enable= --errors-only --reports= --score= --output-format= --msg-template= --recursive= --ignore-paths= --ignore-patterns= --fail-under= --fail-on= --py-version= --disable-all --list-msgs --list-msgs-enabled --help-msg= --persistent= --severity-level= --confidence-level= --skips= --tests= --aggregate= --number= --context= --recursive --exit-zero --min-confidence= --sort-by-size --ignore-decorators= --ignore-names= --convention= --add-ignore= --add-select= --match= --match-dir= --source --explain --first --show-pep8 --testsuite= --diff --doctests --from-first --limit-inference-results= --good-names= --max-args= --max-locals= --max-branches= --max-statements= --rcfile= --config= --output=write',
    judge: (invocation) => {
      const { program, context, span } = invocation;
      ownSettings('--rcfile', '--config')(invocation);
      if (program === 'pylint') reportsByCode(invocation);
      if (!/^(?:pip-audit|safety)$/.test(program)) return;
      context.report.raise('warning', 'network', { text: 'sends package names to a service', span });
      context.report.effect({ kind: 'network' });
    },
    examples: {
      safe: [
        'pylint --rcfile=.pylintrc src',
        'flake8',
        'flake8 --max-line-length 100 src',
        'pylint src',
        'bandit -r src',
        'vulture src',
      ],
      warning: [
        'pylint --load-plugins=x',
        'pylint -f json:x src',
        'pylint --output-format=evil.X src',
        'bandit -r src -o x.json',
        'pylint --output x src',
        'bandit -r src --output=x.json',
        'flake8 --output-file x',
        "pylint --init-hook='x' src",
      ],
    },
  },
  {
    names: ['black', 'isort', 'autopep8', 'yapf', 'autoflake', 'pyupgrade', 'docformatter'],
    options:
      '-# -hqvidracps -l: -t: -e: -m: -w: -j: -n: -C -S -x: --check --check-only --diff --color --no-color --quiet --verbose --version --help --fast --safe --line-length= --target-version= --profile= --config= --exclude= --extend-exclude= --force-exclude= --include= --stdin-filename= --code= --skip-string-normalization --skip-magic-trailing-comma --preview --unstable --pyi --workers= --required-version= --skip= --skip-glob= --src= --sp= --settings-path= --filter-files --atomic --df --sl --force-single-line-imports --trailing-comma --combine-as --gitignore --in-place --aggressive --recursive --max-line-length= --ignore= --select= --style= --parallel --remove-all-unused-imports --remove-unused-variables --expand-star-imports --py3-plus --py36-plus --py37-plus --py38-plus --py39-plus --py310-plus --py311-plus --py312-plus --wrap-summaries= --wrap-descriptions= --show-files --show-settings --no-cache',
    judge: formats({
      check: /^(?:--check|--check-only|--diff|-c|--df|-d|--show-files|--show-settings)$/,
      write: undefined,
    }),
    examples: {
      safe: ['black --check .', 'isort --check-only src', 'black --diff a.py'],
      warning: ['black app.py', 'isort .', 'black -l 100 src'],
    },
  },
  {
    names: ['ruff'],
    options: '-qvshV --quiet --verbose --silent --config= --isolated --help --version --color=',
    judge: settles,
    verbs: {
      check: {
        options:
          '-# -hqvsenw --fix --no-fix --unsafe-fixes --no-unsafe-fixes --fix-only --no-fix-only --add-noqa --diff --watch --select= --ignore= --extend-select= --extend-ignore= --fixable= --unfixable= --per-file-ignores= --exclude= --extend-exclude= --respect-gitignore --no-respect-gitignore --force-exclude --no-cache --cache-dir=write-tree --output-file=write -o:write --output-format= --target-version= --line-length= --preview --no-preview --config= --isolated --stdin-filename= --extension= --statistics --show-files --show-settings --show-fixes --no-show-fixes --exit-zero --exit-non-zero-on-fix --quiet --verbose --silent --ignore-noqa --color=',
        judge: (invocation) => {
          settles(invocation);
          formats({ check: undefined, write: /^--(?:fix|fix-only|unsafe-fixes|add-noqa)$/ })(invocation);
        },
      },
      format: {
        options:
          '-# -hqvsn --check --diff --exclude= --extend-exclude= --respect-gitignore --force-exclude --no-cache --cache-dir=write-tree --target-version= --line-length= --preview --config= --isolated --stdin-filename= --extension= --range= --quiet --verbose --silent --exit-non-zero-on-format --color=',
        judge: formats({ check: /^--(?:check|diff)$/, write: undefined }),
      },
      'rule config linter version help analyze': READS,
    },
    examples: {
      safe: ['ruff check .', 'ruff format --check .', 'ruff check src --select E', 'ruff rule E501'],
      warning: [
        'ruff check --fix .',
        "ruff check --config 'fix=true'",
        "ruff --config 'fix=true' check",
        'ruff format a.py',
        'ruff clean',
        'ruff check --output-file x .',
      ],
    },
  },
  {
    names: ['coverage'],
    verbs: {
      run: {
        style: 'posix',
        options:
          '-pmaL --branch --source= --include= --omit= --parallel-mode --module --append --context= --concurrency= --timid --data-file=write',
        effects: [...PYTEST_CACHES, { kind: 'write', path: '.coverage', scope: 'file' }],
        judge: runsTests,
      },
      'report debug help': {
        options:
          '-im --show-missing --skip-covered --skip-empty --include= --omit= --precision= --sort= --fail-under= --ignore-errors --format= --contexts= --no-skip-covered --data-file=read',
      },
    },
    examples: {
      safe: [
        'coverage report',
        'coverage report -m',
        'coverage run -m pytest',
        'coverage run --source=src -m unittest',
      ],
      warning: [
        'coverage html',
        'coverage run x.py',
        'coverage run -m x',
        'coverage run --rcfile=x -m pytest',
      ],
    },
  },
);

/** `coverage run -m pytest`: modules that only test; any other is a program. */
function runsTests({ options, context, span }: Invocation): void {
  const [module] = options.operands;
  const name = textOf(module);
  if (hasOption(options, '-m', '--module') && name === 'unittest') return;
  if (hasOption(options, '-m', '--module') && name === 'pytest')
    return context.walk.runWords(options.operands, context);
  context.report.raise('warning', 'unknown-script', { text: "runs code that isn't analysed", span });
  context.report.effect(WRITES_UNKNOWN);
}
