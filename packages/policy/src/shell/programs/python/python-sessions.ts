import { hasOption } from '../../options.ts';
import { definePrograms, WRITES_UNKNOWN } from '../../program.ts';
import { textOf } from '../../word.ts';
import { PYTEST_CACHES } from './python-checks.ts';
import { isReckless } from '../builds/recipe-targets.ts';

/** Runners of sessions, each in its own environment: usually for tests. */
export const pythonSessions = definePrograms({
  names: ['tox', 'nox'],
  effects: PYTEST_CACHES,
  options:
    '-# -hqvlarR -e: -s: -k: -t: -p? -m: -f: -j: --env= --sessions= --session= --keywords= --tags= --recreate --listenvs --list --list-sessions --notest --quiet --verbose --parallel? --skip-env= --python= --pythons= --reuse-existing-virtualenvs --no-install --non-interactive --error-on-missing-interpreters --stop-on-first-error --version --help --skip-missing-interpreters? --colored= --color --nocolor --no-color --forcecolor',
  judge: ({ options, context, span }) => {
    const values = [...options.given.map(({ value }) => value), ...options.operands];
    const reckless = values.map((word) => textOf(word) ?? '').find((name) => isReckless(name));
    if (reckless !== undefined)
      return context.report.raise('dangerous', 'deploys', { text: `runs the session ${reckless}`, span });
    if (values.some((word) => BUILDS.test(textOf(word) ?? '')))
      context.report.raise('warning', 'unknown-target', {
        text: 'runs a session that does more than test',
        span,
      });
    const [verb] = options.operands;
    const isTests =
      verb === undefined || /^(?!(?:devenv|exec|quickstart|d|e|q)$)/.test(textOf(verb) ?? 'devenv');
    if (!hasOption(options, '-f') && isTests) return;
    context.report.raise('warning', 'unknown-script', { text: 'runs more than tests', span });
    context.report.effect(WRITES_UNKNOWN);
  },
  examples: {
    safe: ['tox -e py312', 'nox -s tests'],
    warning: ["tox run -x testenv.commands='touch x'", 'tox devenv x', 'nox -f ./x.py', 'nox -s build'],
    dangerous: ['tox -e release', 'tox --workdir /tmp', 'nox -s tests deploy'],
  },
});

/** Names of sessions that produce something. */
const BUILDS = /^(?:build|docs?|format|fmt|package|bundle|dev|serve|install|update)(?:[-_].*)?$/;
