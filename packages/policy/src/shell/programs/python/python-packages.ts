import { isDryRun, publishesUnless } from '../dry-run.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';
import {
  definePrograms,
  type Invocation,
  NETWORK,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { FROM_ELSEWHERE } from '../builds/package-settings.ts';
import { hasOption } from '../../options.ts';
import { touchRead } from '../../paths/touch.ts';
import { runRest, startedBy } from '../shells/run-rest.ts';
import { runsScript } from '../node/node-packages.ts';
import { literal, textOf } from '../../word.ts';
import { judgeTask } from '../node/frameworks.ts';

const INSTALLS: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'installs',
  text: 'installs or removes packages',
  effects: [NETWORK, WRITES_UNKNOWN],
};

/** Lists what is installed; queries a registry with the options that compare with one. */
const READS: Rule = {
  options:
    '-# -hleuovqVarRTpPn: -f: -s: -d: --local --editable --include-editable --exclude-editable --user --path= --format= --not-required --exclude= --all --verbose --quiet --files --requirement=read --disable-pip-version-check --outdated --uptodate --pre --algorithm= --no-cache-dir --no-color --color= --depth= --invert --no-dedupe --package= --prune= --show-version-specifiers --universal --python-platform= --python-version= --only-group= --group= --no-group= --no-dev --only-dev --all-groups --extra= --all-extras --frozen --locked --no-sources --offline --tree --reverse --latest --top-level --why --without= --with= --only= --name= --full-name --no-pip --export --explicit --md5 --json --short --graph --freeze --csv --markdown --sort= --fields= --include= --resolve --envs --all-info --base --system --strict --help --version --output-format= --dry-run',
  judge: ({ program, options, context, span }) => {
    const changes = /\bversion$/.test(program) && options.operands.length > 0;
    // `pipenv check` queries a service about every package.
    const asks =
      program === 'pipenv check' ||
      hasOption(options, '--outdated', '-o', '--uptodate', '-u', '--latest', '--all-info');
    // For `pip freeze` it is a file whose lines are shown, for `uv pip` an interpreter to start.
    if (program === 'pip freeze') for (const file of options.operands) touchRead(context, file);
    if (/^(?:uv|pip)\b/.test(program) && hasOption(options, '-p')) {
      context.report.raise('warning', 'starts-program', {
        text: 'starts an interpreter named on the line',
        span,
      });
      context.report.effect(WRITES_UNKNOWN);
    }
    if (changes) {
      context.report.raise('warning', 'modifies', { text: 'sets the project version', span });
      context.report.effect(WRITES_UNKNOWN);
    }
    if (!asks) return;
    context.report.raise('warning', 'network', { text: 'contacts a package registry', span });
    context.report.effect(NETWORK);
  },
};

const ASKS: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'network',
  text: 'contacts a package registry',
  effects: [NETWORK],
};

const PUBLISHES: Rule = {
  unknownOptions: 'any',
  level: 'dangerous',
  code: 'publishes',
  text: 'publishes a package',
  effects: [NETWORK],
};

/** `uv run pytest`: judged as the program that follows. */
const RUNS: Rule = {
  style: 'posix',
  options:
    '-qvn: -m -s --module --script --with= --with-editable= --with-requirements=read --directory=list --project=list -p:program --python=program --env-file=read --frozen --locked --no-sync --offline --quiet --verbose --all-extras --extra= --group= --dev --no-dev --only-dev --all-packages --package= --no-cache --isolated --no-project --no-capture-output --live-stream --name= --active --exact --inexact',
  raises: [
    {
      when: '--with --with-editable --with-requirements',
      level: 'warning',
      code: 'runs-package',
      text: 'downloads packages and runs code with them',
      effects: [NETWORK],
    },
    {
      when: '--directory --project',
      level: 'warning',
      code: 'other-folder',
      text: 'works in another folder',
      effects: [WRITES_UNKNOWN],
    },
  ],
  judge: (invocation) => {
    const { program, options, context } = invocation;
    // For these the word may be a script of the project, such as `test`.
    const [first, ...rest] = options.operands;
    const isScript =
      /^(?:hatch|pdm|rye|pipenv) run$/.test(program) &&
      /^(?:test|check|lint)(?:$|[:-])/.test(textOf(first) ?? '');
    if (isScript && first !== undefined) runsScript.judge?.({ ...invocation, words: [first, ...rest] });
    else runStarted(invocation);
    if (isScript) for (const effect of [REPOSITORY_CODE, WRITES_UNKNOWN]) context.report.effect(effect);
  },
};

/**
 * `uv run -m mod`, `uv run x.py`, `uv run node x.js`: Python may need the fetched packages, another program does not.
 */
function runStarted({ program, options, context, span }: Invocation): void {
  const [first] = options.operands;
  if (first === undefined) return;
  const given = ['-m', '--module'].find((name) => hasOption(options, name));
  const isPython =
    given !== undefined || hasOption(options, '-s', '--script') || PYTHON.test(textOf(first) ?? '');
  const own = program.startsWith('uv ') && isPython ? context : startedBy(context);
  const python = literal('python', span);
  if (given !== undefined) return runRest([python, literal('-m', span), ...options.operands], own);
  const isFile = hasOption(options, '-s', '--script') || /\.pyw?$/.test(textOf(first) ?? '');
  runRest(isFile && program.startsWith('uv ') ? [python, ...options.operands] : options.operands, own);
}

const PYTHON = /^(?:python[\d.]*|pypy[\d.]*)$|\.pyw?$/;

/** Package managers of Python. */
export const pythonPackages = definePrograms(
  {
    names: ['pip', 'pipx'],
    options:
      '-qvV --quiet --verbose --version --disable-pip-version-check --no-input --no-cache-dir --require-virtualenv --isolated --python=program --proxy= --log=write',
    verbs: {
      'install uninstall wheel download inject upgrade sync reinstall ensurepath upgrade-all': INSTALLS,
      'list show freeze check help inspect hash debug environment': READS,
      'index search': ASKS,
      'config cache completion': {
        unknownOptions: 'any',
        level: 'warning',
        code: 'modifies',
        text: 'reads or changes pip settings',
        effects: [WRITES_UNKNOWN],
      },
      run: { ...INSTALLS, text: 'downloads and runs a package' },
    },
    examples: {
      safe: ['pip list', 'pip show flask', 'pip freeze', 'pip --version'],
      warning: [
        'pip list --outdated',
        'pip freeze --log x',
        'pip install flask',
        'pip uninstall -y x',
        'pipx run x',
      ],
      dangerous: ['pip freeze -r .env'],
    },
  },
  {
    names: ['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'conda', 'mamba'],
    options:
      '-qvnC: --quiet --verbose --no-interaction --no-cache --offline --directory=list --project=list --version -V',
    raises: [
      {
        when: '-C --directory --project',
        level: 'warning',
        code: 'other-folder',
        text: 'works in another folder',
        effects: [WRITES_UNKNOWN],
      },
    ],
    verbs: {
      'install add remove sync lock update init new venv create upgrade uninstall tool self build shell python cache export config':
        INSTALLS,
      'version help tree show list check info about graph': READS,
      env: {
        ...INSTALLS,
        level: 'safe',
        effects: [],
        judge: ({ words, context, span }) => {
          if (/^(?:list|info|show|find)$/.test(textOf(words[0]) ?? '')) return;
          context.report.raise('warning', 'installs', { text: 'creates or removes environments', span });
          for (const effect of [NETWORK, WRITES_UNKNOWN]) context.report.effect(effect);
        },
      },
      search: ASKS,
      source: FROM_ELSEWHERE,
      pip: {
        style: 'posix',
        options: '-q --quiet --offline --python=program -p:program',
        judge: ({ options, context, span }) =>
          context.walk.runWords([literal('pip', span), ...options.operands], context),
      },
      run: RUNS,
      publish: publishesUnless(({ program, words }) => /^(?:uv|poetry) /.test(program) && isDryRun(words)),
      upload: PUBLISHES,
    },
    examples: {
      safe: [
        'uv run pytest',
        'hatch run test',
        'pdm run lint',
        'poetry show',
        'poetry run pytest -q',
        'uv --version',
        'uv pip list',
        'uv version',
      ],
      warning: [
        'uv version --bump minor',
        'poetry version patch',
        'poetry -C x run pytest',
        'uv --directory=x run pytest',
        'poetry show --outdated',
        'pipenv check',
        'uv sync',
        'poetry add x',
        'uv run x.py',
        'hatch run test --plugin ./x',
        'uv pip install x',
        'poetry publish --build --dry-run',
        'uv publish --dry-run',
      ],
      dangerous: ['poetry publish', 'pdm publish --dry-run', 'uv publish', 'uv run rm -rf lib'],
    },
  },
  {
    names: ['uvx'],
    unknownOptions: 'any',
    level: 'warning',
    code: 'runs-package',
    text: 'downloads and runs a package',
    effects: [NETWORK, WRITES_UNKNOWN],
    judge: ({ words, context }) => judgeInnerCommand(words, context),
    examples: { warning: ['uvx ruff check', 'uvx cowsay hi'], dangerous: ['uvx rm -rf lib'] },
  },
  {
    names: ['twine'],
    unknownOptions: 'any',
    judge: ({ words, context, span }) => {
      if (textOf(words[0]) === 'check') return;
      context.report.raise('dangerous', 'publishes', { text: 'publishes a package', span });
      context.report.effect(NETWORK);
    },
    examples: { safe: ['twine check dist/*'], dangerous: ['twine upload dist/*'] },
  },
  {
    names: ['django-admin', 'flask', 'celery'],
    unknownOptions: 'any',
    level: 'warning',
    code: 'unknown-script',
    text: 'runs the project',
    effects: [WRITES_UNKNOWN, REPOSITORY_CODE],
    judge: ({ words, context }) => {
      for (const word of words.slice(0, 2)) judgeTask(word, context);
    },
    examples: { warning: ['flask run'], dangerous: ['django-admin flush', 'flask db downgrade'] },
  },
);
