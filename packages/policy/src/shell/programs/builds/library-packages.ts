import {
  definePrograms,
  type Invocation,
  NETWORK,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { hasOption } from '../../options.ts';
import { runRest, startedBy } from '../shells/run-rest.ts';
import { beginningOf } from '../../word.ts';

const ASKS: Rule = {
  unknownOptions: 'any',
  level: 'warning',
  code: 'network',
  text: 'contacts a package registry',
  effects: [NETWORK],
};

/** Package managers of Ruby and PHP. */
export const libraryPackages = definePrograms({
  names: ['bundle', 'bundler', 'gem', 'composer'],
  options:
    '-nqvV -d: --working-dir=list --no-interaction --no-ansi --ansi --quiet --verbose --version --no-plugins --no-scripts --no-color --profile --help',
  judge: otherFolder,
  verbs: {
    exec: {
      style: 'posix',
      options: '--keep-file-descriptors --gemfile= -G -h',
      judge: ({ options, context }) => runRest(options.operands, startedBy(context)),
    },
    'list show check info env help validate why depends platform licenses which contents why-not prohibits about status dependency specification':
      {
        options:
          '-adilnorvqDNtTPs: -f: --all --local --name-only --paths --path --verbose --no-verbose --installed --no-installed --details --no-details --versions --exact --tree --direct --direct-only --format= --name= --self --latest= --strict --no-dev --platform --only-group= --without-group= --dry-run --gemfile= --recursive --locked --no-check-all --no-check-lock --no-check-publish --with-dependencies --no-plugins --no-scripts --ruby --outdated-only --lib-only --prefix --no-prefix --show-install-dir --env --gemdir --user',
        judge: ({ program, options, context, span }) => {
          // A Gemfile is Ruby, and so are its gemspecs; Composer starts the project's plugins.
          if (!program.startsWith('gem ')) context.report.effect(REPOSITORY_CODE);
          if (hasOption(options, '--gemfile', '-d'))
            context.report.raise('warning', 'other-folder', {
              text: 'uses code from another folder',
              span,
            });
          if (!hasOption(options, '-r', '-a', '--latest', '--outdated-only')) return;
          context.report.raise('warning', 'network', { text: 'contacts a package registry', span });
          context.report.effect(NETWORK);
        },
      },
    'outdated search audit fund suggests browse home sources query diagnose': ASKS,
    'install i update upgrade add require remove uninstall init config lock clean dump-autoload dumpautoload create-project binstubs cache package pristine cleanup global build unpack fetch reinstall bump archive self-update':
      {
        unknownOptions: 'any',
        level: 'warning',
        code: 'installs',
        text: 'installs or removes packages',
        effects: [NETWORK, WRITES_UNKNOWN],
      },
    'push yank publish owner signin signout': {
      unknownOptions: 'any',
      level: 'dangerous',
      code: 'publishes',
      text: 'publishes a package',
      effects: [NETWORK],
    },
    test: { options: '-v --no-interaction --', effects: [REPOSITORY_CODE, WRITES_UNKNOWN] },
  },
  otherVerb: {
    unknownOptions: 'any',
    level: 'warning',
    code: 'builds',
    text: 'builds or runs the project',
    effects: [WRITES_UNKNOWN, REPOSITORY_CODE],
  },
  examples: {
    safe: ['bundle exec rspec', 'gem list', 'composer show', 'composer validate --strict'],
    warning: [
      'bundle install',
      'composer require x',
      'gem install x',
      'gem list -r rails',
      'composer outdated',
    ],
    dangerous: ['gem push x.gem', 'bundle exec rm -rf lib'],
  },
});

function otherFolder({ options, context, span }: Invocation): void {
  const folder = options.given.find(({ name }) => name === '-d' || name === '--working-dir')?.value;
  if (folder === undefined) return;
  context.report.raise('warning', 'other-folder', {
    text: `works in another folder: ${beginningOf(folder)}`,
    span,
  });
  context.report.effect(WRITES_UNKNOWN);
}
