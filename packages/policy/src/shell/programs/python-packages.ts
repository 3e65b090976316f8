import { judgeInnerCommand } from './inner-command.ts';
import { definePrograms, NETWORK, REPOSITORY_CODE, type Rule, WRITES_UNKNOWN } from '../program.ts';
import { textOf } from '../word.ts';

const INSTALLS: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'installs',
  text: 'installs or removes packages',
  effects: [NETWORK, WRITES_UNKNOWN],
};

const READS: Rule = { unknownOptions: 'any' };
const PUBLISHES: Rule = {
  unknownOptions: 'any',
  level: 'dangerous',
  code: 'publishes',
  text: 'publishes a package',
  effects: [NETWORK],
};

/** `uv run pytest`: judged as what follows. */
const RUNS: Rule = {
  style: 'posix',
  unknownOptions: 'any',
  judge: ({ options, scene }) => scene.walk.runWords(options.operands, scene),
};

/** Package managers of Python. */
export const pythonPackages = definePrograms(
  {
    names: ['pip', 'pipx'],
    options:
      '-qvV --quiet --verbose --version --disable-pip-version-check --no-input --no-cache-dir --require-virtualenv --isolated --python=program --proxy= --log=write',
    verbs: {
      'install uninstall wheel download inject upgrade sync reinstall ensurepath upgrade-all': INSTALLS,
      'list show freeze check help inspect hash debug environment': READS,
      'index search': {
        unknownOptions: 'any',
        level: 'warning',
        code: 'network',
        text: 'asks a package registry',
        effects: [NETWORK],
      },
      'config cache completion': {
        unknownOptions: 'any',
        level: 'warning',
        code: 'modifies',
        text: 'reads or changes settings of pip',
        effects: [WRITES_UNKNOWN],
      },
      run: { ...INSTALLS, text: 'downloads and runs a package' },
    },
    examples: {
      safe: ['pip list', 'pip show flask', 'pip freeze', 'pip --version'],
      warning: ['pip install flask', 'pip uninstall -y x', 'pipx run x'],
    },
  },
  {
    names: ['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'conda', 'mamba'],
    options:
      '-qvnC: --quiet --verbose --no-interaction --no-cache --offline --directory=list --project=list --version -V',
    verbs: {
      'install add remove sync lock update init new venv create upgrade uninstall pip tool self build env shell python cache':
        INSTALLS,
      'version help tree show list check search info about graph': READS,
      run: RUNS,
      'publish upload': PUBLISHES,
    },
    examples: {
      safe: ['uv run pytest', 'poetry show', 'poetry run pytest -q', 'uv --version'],
      warning: ['uv sync', 'poetry add x', 'uv run x.py', 'uv pip install x'],
      dangerous: ['poetry publish', 'uv run rm -rf lib'],
    },
  },
  {
    names: ['uvx'],
    unknownOptions: 'any',
    level: 'warning',
    code: 'runs-package',
    text: 'downloads and runs a package',
    effects: [NETWORK, WRITES_UNKNOWN],
    judge: ({ words, scene }) => judgeInnerCommand(words, scene),
    examples: { warning: ['uvx ruff check', 'uvx cowsay hi'], dangerous: ['uvx rm -rf lib'] },
  },
  {
    names: ['twine'],
    unknownOptions: 'any',
    judge: ({ words, scene, span }) => {
      if (textOf(words[0]) === 'check') return;
      scene.report.raise('dangerous', 'publishes', 'publishes a package', span);
      scene.report.effect(NETWORK);
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
    examples: { warning: ['flask run'] },
  },
);
