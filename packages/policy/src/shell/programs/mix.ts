import {
  definePrograms,
  type Invocation,
  named,
  NETWORK,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../program.ts';
import { judgeHiddenText } from '../hidden-text.ts';
import { literal, textOf, type Word } from '../word.ts';
import {
  buildsUnless,
  endangers,
  formatsUnless,
  installsInto,
  LOOKS,
  RUNS_PROJECT,
} from './toolchain-rules.ts';

const MIX_BUILD: NonNullable<Rule['effects']> = [
  REPOSITORY_CODE,
  { kind: 'write', path: '_build', scope: 'tree' },
];

/** Elixir, and languages judged like it. */
export const mix = definePrograms(
  {
    names: ['mix'],
    verbs: {
      test: {
        unknownOptions: 'any',
        effects: MIX_BUILD,
        judge: buildsUnless(/^(?:-r|--require|--formatter|--export-coverage)(?:=|$)/),
      },
      'compile dialyzer credo sobelow hex.audit xref': { unknownOptions: 'any', effects: MIX_BUILD },
      'help deps deps.tree hex.outdated hex.info phx.routes app.tree profile.fprof ecto.migrations local.list':
        LOOKS,
      format: { unknownOptions: 'any', judge: formatsUnless(/^--(?:check-formatted|dry-run)$/) },
      'deps.get deps.update deps.clean deps.compile deps.unlock': installsInto('deps/**'),
      'local.hex local.rebar archive.install hex.config escript.install escript.build archive.build':
        installsInto(),
      'ecto.drop ecto.reset': endangers('drops-database', 'drops the database', WRITES_UNKNOWN),
      'ecto.rollback': endangers('drops-database', 'undoes migrations of the database', WRITES_UNKNOWN),
      'release deploy hex.publish hex.retire hex.user hex.owner hex.organization phx.gen.release assets.deploy':
        endangers('deploys', 'makes or publishes a release', WRITES_UNKNOWN, NETWORK),
      clean: {
        unknownOptions: 'any',
        level: 'warning',
        code: 'deletes',
        text: 'deletes what was built',
        effects: [{ kind: 'delete', path: '_build', scope: 'tree' }],
      },
      do: { unknownOptions: 'any', judge: judgeMixDo },
      'run eval phx.server ecto.migrate ecto.create ecto.gen.migration ecto.setup cmd new phx.new phx.gen.schema':
        RUNS_PROJECT,
    },
    otherVerb: RUNS_PROJECT,
    examples: {
      safe: ['mix test --failed', 'mix compile', 'mix format --check-formatted', 'mix credo'],
      warning: [
        'mix deps.get',
        'mix format lib/x.ex',
        'mix ecto.migrate',
        'mix testx',
        'mix do compile, ecto.migrate',
      ],
      dangerous: [
        'mix ecto.drop --quiet',
        'mix ecto.reset',
        'mix release',
        'mix deploy',
        'mix do compile, ecto.drop',
        'mix do compile + ecto.drop',
      ],
    },
  },
  {
    names: named('elixir elixirc rebar3 gleam stack cabal opam crystal v swift flutter dart pub pod'),
    unknownOptions: 'any',
    judge: ({ program, words, scene, span }) => {
      scene.report.effect(REPOSITORY_CODE);
      for (const word of words) judgeHiddenText(textOf(word) ?? '', word.span, scene);
      const verb = textOf(words[0]);
      if (verb === 'test' || verb === 'analyze' || verb === 'check') return;
      scene.report.raise(
        verb === 'publish' || verb === 'upload' ? 'dangerous' : 'warning',
        'unknown-script',
        `${program} builds, installs or runs`,
        span,
      );
      scene.report.effect(WRITES_UNKNOWN);
    },
    examples: { safe: ['flutter test', 'gleam test'], warning: ['elixir x.exs', 'stack build'] },
  },
);

/** `mix do a, b + c`: several tasks. */
function judgeMixDo({ words, scene, span }: Invocation): void {
  let task: Word[] = [];
  const run = (): void => {
    if (task.length > 0) scene.walk.runWords([literal('mix', span), ...task], scene);
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
