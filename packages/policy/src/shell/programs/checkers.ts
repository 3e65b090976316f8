import {
  definePrograms,
  named,
  type Invocation,
  NETWORK,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../program.ts';
import { touchWrite } from '../touch.ts';
import { beginningOf, literal } from '../word.ts';

const BUILDS: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'builds',
  text: 'builds the project',
  effects: [WRITES_UNKNOWN, REPOSITORY_CODE],
};

/** Linters and test runners of many languages, and packages of some. */
export const checkers = definePrograms(
  {
    names: ['bundle', 'gem', 'composer'],
    verbs: {
      exec: {
        style: 'posix',
        unknownOptions: 'any',
        judge: ({ options, scene }) => scene.walk.runWords(options.operands, scene),
      },
      'list show check info outdated env help validate why platform licenses which contents': {
        unknownOptions: 'any',
      },
      'install update add remove require uninstall init config lock clean dump-autoload create-project': {
        unknownOptions: 'any',
        level: 'warning',
        code: 'installs',
        text: 'installs or removes packages',
        effects: [NETWORK, WRITES_UNKNOWN],
      },
      'push yank publish owner signin': {
        unknownOptions: 'any',
        level: 'dangerous',
        code: 'publishes',
        text: 'publishes a package',
        effects: [NETWORK],
      },
      test: { unknownOptions: 'any', effects: [REPOSITORY_CODE] },
    },
    otherVerb: BUILDS,
    examples: {
      safe: ['bundle exec rspec', 'gem list', 'composer show'],
      warning: ['bundle install', 'composer require x', 'gem install x'],
      dangerous: ['gem push x.gem', 'bundle exec rm -rf lib'],
    },
  },
  {
    names: named(
      'rspec phpunit pest minitest shellcheck hadolint yamllint actionlint phpstan psalm luacheck shfmt rubocop clang-format clang-tidy golangci-lint staticcheck goimports gofumpt gofmt rustfmt',
    ),
    unknownOptions: 'any',
    effects: [REPOSITORY_CODE],
    judge: judgeChecker,
    examples: {
      safe: [
        'rspec',
        'shellcheck x.sh',
        'gofmt -l .',
        'gofmt -d x.go',
        'golangci-lint run',
        'rustfmt --check a.rs',
        'shfmt -d .',
      ],
      warning: [
        'gofmt -w x.go',
        'rubocop -a',
        'rustfmt a.rs',
        'clang-format -i a.c',
        'shfmt -w x.sh',
        'golangci-lint run --fix',
      ],
    },
  },
);

function judgeChecker({ program, words, options, scene, span }: Invocation): void {
  const flags = words.map((word) => beginningOf(word));
  const files = options.operands;
  const writes =
    flags.some((flag) =>
      /^(?:-w|-i|-a|-A|--write|--fix|--fix-errors|--auto-?correct(?:-all)?|--in-place|--auto-gen-config|--alter)$/.test(
        flag,
      ),
    ) ||
    (program === 'rustfmt' && !flags.includes('--check') && !flags.includes('--print-config'));
  if (!writes) {
    if (
      flags.some(
        (flag) =>
          /^(?:-o|--out|--output|--require|-r|--load|--config|-c|-p)$/.test(flag) && program !== 'clang-tidy',
      )
    ) {
      scene.report.raise('warning', 'unknown-option', 'a check that writes or loads more than usual', span);
      scene.report.effect(WRITES_UNKNOWN);
    }
    return;
  }
  scene.report.raise('warning', 'formats', 'rewrites files', span);
  for (const word of files.length > 0 ? files : [literal('.', span)]) touchWrite(scene, word, 'tree');
}
