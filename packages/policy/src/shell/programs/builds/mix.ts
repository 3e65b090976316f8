import {
  definePrograms,
  type Invocation,
  named,
  NETWORK,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { valueOf } from '../../options.ts';
import { publishesUnless } from '../dry-run.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';
import { FROM_ELSEWHERE } from './package-settings.ts';
import { startedBy } from '../shells/run-rest.ts';
import { judgeTasks } from './recipe-targets.ts';
import { judgeProgramText } from '../shells/interpreters.ts';
import { beginningOf, literal, textOf, type Word } from '../../word.ts';
import { endangers, formatsUnless, installsInto, READ_ONLY, RUNS_PROJECT } from './toolchain-rules.ts';

const MIX_BUILD: NonNullable<Rule['effects']> = [
  REPOSITORY_CODE,
  { kind: 'write', path: '_build', scope: 'tree' },
];

/** Elixir, and languages judged like it. */
export const mix = definePrograms(
  {
    names: ['mix'],
    verbs: {
      'test coveralls coveralls.detail': {
        options:
          '-# --failed --stale --trace --cover --color --no-color --force --seed= --max-cases= --max-failures= --max-requires= --only= --exclude= --include= --slowest= --slowest-modules= --timeout= --raise --listen-on-stdin --no-start --no-compile --no-deps-check --no-archives-check --no-elixir-version-check --no-all-warnings --partitions= --warnings-as-errors --all-warnings --preload-modules --exit-status= --breakpoints --profile-require= --repeat-until-failure= --no-listeners --dry-run',
        effects: MIX_BUILD,
      },
      'compile dialyzer credo sobelow hex.audit xref': {
        options:
          '-# -aCivq -c: -f: -A --all --strict --format= --force --warnings-as-errors --all-warnings --no-all-warnings --no-compile --no-deps-check --no-optional-deps --no-protocol-consolidation --no-archives-check --return-errors --verbose --quiet --plt --halt-exit-status --ignore-exit-status --list-unused-filters --explain --only= --ignore= --checks= --checks-with-tag= --checks-without-tag= --files-included= --files-excluded= --mute-exit-status --min-priority= --read-config --enable-disabled-checks= --all-priorities --exit= --threshold= --skip --private --root= --router= --profile= --sink= --source= --label= --only-nodes --only-direct --include-siblings --fail-above= --min-cycle-size= --group= --version --help --color --no-color --watch',
        effects: MIX_BUILD,
        judge: writesGraphs,
      },
      'help deps deps.tree phx.routes app.tree ecto.migrations local.list': {
        ...READ_ONLY,
        judge: writesGraphs,
      },
      'hex.outdated hex.info hex.search hex.docs': {
        unknownOptions: 'any',
        level: 'warning',
        code: 'network',
        text: 'contacts a package registry',
        effects: [NETWORK],
      },
      format: {
        unknownOptions: 'any',
        judge: (invocation) => {
          formatsUnless(/^--(?:check-formatted|dry-run)$/)(invocation);
          // A settings file is a program.
          const other = invocation.words.find((word) => beginningOf(word).startsWith('--dot-formatter'));
          if (other === undefined) return;
          invocation.context.report.raise('warning', 'loads-code', {
            text: 'loads settings named on the line',
            span: other.span,
          });
          invocation.context.report.effect(WRITES_UNKNOWN);
        },
      },
      'deps.get deps.update deps.clean deps.compile deps.unlock': installsInto('deps/**'),
      'local.hex local.rebar archive.install hex.config escript.install escript.build archive.build':
        installsInto(),
      'hex.repo': FROM_ELSEWHERE,
      'ecto.drop ecto.reset': endangers('drops-database', 'drops the database', WRITES_UNKNOWN),
      'ecto.rollback': endangers('drops-database', 'rolls back database migrations', WRITES_UNKNOWN),
      'hex.publish': publishesUnless(),
      'release deploy hex.retire hex.user hex.owner hex.organization phx.gen.release assets.deploy':
        endangers('deploys', 'builds or publishes a release', WRITES_UNKNOWN, NETWORK),
      clean: {
        unknownOptions: 'any',
        level: 'warning',
        code: 'deletes',
        text: 'deletes build output',
        effects: [{ kind: 'delete', path: '_build', scope: 'tree' }],
      },
      do: { unknownOptions: 'any', judge: judgeMixDo },
      'run eval': {
        ...RUNS_PROJECT,
        judge: (invocation) => {
          const { span, words } = invocation;
          startedBy(invocation.context).report.raise('warning', 'unknown-script', {
            text: 'runs the project',
            span,
          });
          for (const word of words)
            if (textOf(word)?.includes('(') === true) judgeProgramText(word, invocation);
        },
      },
      'phx.server ecto.migrate ecto.create ecto.gen.migration ecto.setup cmd new phx.new phx.gen.schema':
        RUNS_PROJECT,
    },
    otherVerb: RUNS_PROJECT,
    examples: {
      safe: [
        'mix test --failed',
        'mix coveralls',
        'mix compile',
        'mix format --check-formatted',
        'mix credo',
      ],
      warning: [
        'mix deps.get',
        'mix format lib/x.ex',
        'mix format --check-formatted --dot-formatter x.exs',
        'mix ecto.migrate',
        'mix testx',
        'mix do compile, ecto.migrate',
        'mix deps.tree --format dot',
        'mix credo gen.config',
        'mix profile.fprof -e x',
        'mix test -r x.exs',
        'mix hex.publish package --dry-run --yes',
      ],
      dangerous: [
        'mix ecto.drop --quiet',
        'mix ecto.reset',
        'mix release',
        'mix hex.publish',
        'mix deploy',
        `mix run -e 'System.cmd("rm", ["-rf", "lib"])'`,
        'mix do compile, ecto.drop',
        'mix do compile + ecto.drop',
      ],
    },
  },
  {
    names: named('elixir elixirc rebar3 gleam stack cabal opam crystal v swift flutter dart pub pod'),
    unknownOptions: 'any',
    judge: (invocation) => {
      const { program, words, context, span } = invocation;
      context.report.effect(REPOSITORY_CODE);
      // Text of these languages has brackets; names of files and tasks have none.
      for (const word of words) if (textOf(word)?.includes('(') === true) judgeProgramText(word, invocation);
      const verb = textOf(words[0]);
      if (verb === 'exec') judgeInnerCommand(words, context);
      const readsOnly =
        verb === 'format' &&
        words.some((word) => /^--(?:check|output=(?:none|show))$/.test(textOf(word) ?? ''));
      const writes = words.some((word) => /^-o|^--output=w/.test(textOf(word) ?? '-o'));
      if (readsOnly && !writes && /^(?:dart|gleam)$/.test(program)) return;
      const checks = CHECKS[program] ?? /^(?:test|analyze|check)$/;
      if (checks.test(verb ?? '') && words.every((word) => TEST_WORDS.test(textOf(word) ?? '-?'))) return;
      judgeTasks(words, context);
      context.report.raise('warning', 'unknown-script', {
        text: `builds, installs or runs with ${program}`,
        span,
      });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      dangerous: [`elixir -e 'File.rm_rf!("lib")'`, 'stack exec -- rm -rf lib'],
      safe: [
        'flutter test',
        'gleam test',
        'rebar3 eunit',
        'crystal spec',
        'opam list',
        'dart format --output=none .',
        'gleam format --check',
        'flutter doctor',
      ],
      warning: ['elixir x.exs', 'stack build', 'dart format .', 'dart format --output=none -o write .'],
    },
  },
);

/** `mix deps.tree --format dot` also writes a drawing; `credo gen.config` a settings file. */
function writesGraphs({ options, context, span }: Invocation): void {
  const draws = /^(?:dot|plantuml)$/.test(textOf(valueOf(options, '--format', '-f')) ?? '');
  const makes = options.operands.some((word) => textOf(word)?.startsWith('gen.') === true);
  if (!makes && !draws) return;
  context.report.raise('warning', 'writes-file', { text: 'writes a generated file', span });
  context.report.effect(WRITES_UNKNOWN);
}

/** Tools with other checking or listing words than `test`, `analyze` and `check`. */
const CHECKS: Readonly<Record<string, RegExp>> = {
  rebar3: /^(?:eunit|ct|dialyzer|xref|lint|tree|deps)$/,
  crystal: /^spec$/,
  opam: /^(?:list|show|lint)$/,
  flutter: /^(?:test|analyze|doctor|devices)$/,
};

/** Words of a test run of these languages that neither write more nor load. */
const TEST_WORDS =
  /^(?:[^-].*|-[ntjvqx]|--(?:name|plain-name|tags|exclude-tags|reporter|filter|skip|target|coverage|no-pub|verbose|quiet|fail-fast|concurrency|parallel|test-option|fast|ta|color|no-color|fatal-infos|no-fatal-infos|fatal-warnings)(?:=.*)?)$/;

/** `mix do a, b + c`: several tasks. */
function judgeMixDo({ words, context, span }: Invocation): void {
  let task: Word[] = [];
  const run = (): void => {
    if (task.length > 0) context.walk.runWords([literal('mix', span), ...task], context);
    task = [];
  };
  for (const word of words) {
    const text = textOf(word);
    if (text === '+' || text === ',') run();
    else if (text?.endsWith(',') === true) {
      task.push(literal(text.slice(0, -1), word.span));
      run();
    } else task.push(word);
  }
  run();
}
