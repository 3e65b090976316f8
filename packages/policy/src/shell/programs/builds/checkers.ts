import {
  definePrograms,
  type Invocation,
  REPOSITORY_CODE,
  type Rule,
  WRITES_UNKNOWN,
} from '../../program.ts';
import { hasOption, valueOf } from '../../options.ts';
import { touchWrite } from '../../paths/touch.ts';
import { textOf } from '../../word.ts';
import { formats } from './formatters.ts';
import { loadsModules, valuesOf } from '../node/loads-modules.ts';

const CHECKS: Pick<Rule, 'effects'> = { effects: [REPOSITORY_CODE] };

const LINT_OPTIONS =
  '-# -ahlvVxCnqs: -e: -i: -f: -S: -W: -d: -o: -P: -t: -w --exclude= --include= --format= --severity= --shell= --enable= --wiki-link-count= --external-sources --check-sourced --list-optional --color? --no-color --norc --source-path= --ignore= --failure-threshold= --no-fail --strict-labels --require-label= --trusted-registry= --error= --warning= --info= --style= --strict --no-warnings --list-files --verbose --version --help --oneline --no-fail-fast --codes --ranges --std= --globals= --no-unused --no-redefined --no-global --no-max-line-length --max-line-length= --quiet --quiet-mode --dialect= --rules= --exclude-rules= --from= --to= --edit? --last';

/** Linters and test runners of many languages. An unlisted option may do more than read. */
export const checkers = definePrograms(
  {
    names: ['rspec', 'minitest'],
    ...CHECKS,
    options:
      '-# -bcwvhnP -e: -t: -f: -E: -I: --format= --example= --tag= --pattern= --exclude-pattern= --order= --seed= --color --colour --force-color --no-color --fail-fast? --no-fail-fast --next-failure --only-failures --profile? --backtrace --warnings --dry-run --failure-exit-code= --bisect? --example-matches= --deprecation-out=write --version --help --order= --no-profile --error-exit-code=',
    judge: loadsFormatter,
    examples: {
      safe: ['rspec', 'rspec spec/a_spec.rb:12', 'rspec -f doc --fail-fast'],
      warning: ['rspec --init', 'rspec -r ./x.rb', 'rspec -f Evil::X', 'rspec -o x.txt'],
    },
  },
  {
    names: ['phpunit', 'pest', 'paratest'],
    ...CHECKS,
    options:
      '-# -hvp: --filter= --exclude-filter= --testsuite= --exclude-testsuite= --group= --exclude-group= --list-tests --list-suites --list-groups --testdox --colors? --no-coverage --stop-on-failure --stop-on-error --stop-on-defect --stop-on-warning --stop-on-risky --no-progress --no-output --no-results --order-by= --random-order-seed= --process-isolation --debug --display-warnings --display-deprecations --display-notices --display-errors --display-incomplete --display-skipped --display-all-issues --fail-on-warning --fail-on-risky --fail-on-deprecation --disallow-test-output --enforce-time-limit --default-time-limit= --columns= --stderr --verbose --version --help --parallel --processes= --compact --bail --retry --ci --todos --coverage-text?write --coverage --min= --dirty --covers= --uses= --no-configuration --do-not-cache-result --teamcity --memory-limit=',
    examples: {
      safe: ['phpunit', 'phpunit --filter name tests', 'pest --parallel'],
      warning: [
        'phpunit --bootstrap ./x.php',
        'phpunit --log-junit x.xml',
        'phpunit --coverage-text=x.txt',
        'phpunit --coverage-html x',
        'phpunit -c ./x.xml',
      ],
    },
  },
  {
    names: ['phpstan', 'psalm', 'phpcs', 'phpmd'],
    ...CHECKS,
    options:
      '-# -hlqvpsn: -m: -c:read --level= --memory-limit= --no-progress --error-format= --no-interaction --ansi --no-ansi --xdebug --debug --quiet --verbose --version --help --threads= --no-cache --show-info= --stats --no-file-cache --output-format= --no-diff --diff --standard= --extensions= --ignore= --report= --colors --no-colors --error-severity= --warning-severity= --exclude= --sniffs= --parallel= --allow-empty-baseline --no-suggestions --taint-analysis --find-dead-code?',
    judge: (invocation) => {
      onlyVerb(/^(?:clear-result-cache|dump-parameters|worker)$/)(invocation);
      // For psalm it is a file, for the others a format.
      const report = invocation.program === 'psalm' ? valueOf(invocation.options, '--report') : undefined;
      if (report !== undefined) touchWrite(invocation.context, report);
      // Settings may name files to run first, and a standard is a folder of programs.
      for (const word of valuesOf(invocation.options, '-c --standard')) {
        if (
          word === undefined ||
          !/\/(?!(?:phpstan|psalm|phpcs|phpmd|\.php_cs)[^/]*$)[^/]*$/.test(textOf(word) ?? '/')
        )
          continue;
        invocation.context.report.raise('warning', 'loads-code', {
          text: 'checks with other settings, which may load code',
          span: word.span,
        });
      }
    },
    examples: {
      safe: [
        'phpstan analyse --level 5 src',
        'phpstan analyse -c config/phpstan.neon',
        'psalm --no-cache',
        'phpcs --standard=PSR12 src',
      ],
      warning: [
        'phpstan analyse --generate-baseline',
        'psalm --alter',
        'psalm --report=x.json',
        'psalm --set-baseline=x.xml',
        'phpstan clear-result-cache',
        'phpstan analyse -c ./x.neon',
        'phpcs --standard=./x src',
      ],
    },
  },
  {
    names: ['php-cs-fixer', 'phpcbf'],
    options:
      '-# -vqnhp --dry-run --diff --config=read --rules= --using-cache= --format= --verbose --quiet --no-interaction --ansi --no-ansi --stop-on-violation --show-progress= --path-mode= --standard= --extensions= --ignore= --sniffs= --exclude= --allow-risky= --version --help',
    judge: (invocation) => {
      const [verb] = invocation.options.operands;
      loadsModules(
        valuesOf(invocation.options, '--config').filter((word) => textOf(word)?.includes('/') !== false),
        invocation.context,
      );
      if (/^(?:list-files|list|describe|check|help)$/.test(textOf(verb) ?? '')) return;
      formats({ check: /^--dry-run$/, write: undefined })({
        ...invocation,
        options: {
          ...invocation.options,
          operands: invocation.options.operands.filter((word) => textOf(word) !== 'fix'),
        },
      });
    },
    examples: {
      safe: ['php-cs-fixer fix --dry-run --diff', 'php-cs-fixer check src'],
      warning: [
        'php-cs-fixer check --config=./x.php',
        'php-cs-fixer fix src',
        'phpcbf src',
        'phpcbf --bootstrap=./x.php src',
      ],
    },
  },
  {
    names: ['shellcheck', 'hadolint', 'checkbashisms'],
    ...CHECKS,
    anyOption: 'harmless',
    options: LINT_OPTIONS,
    examples: {
      safe: ['shellcheck x.sh', 'shellcheck -s bash -e SC2086 *.sh', 'hadolint Dockerfile'],
      warning: ['shellcheck --frobnicate x.sh'],
    },
  },
  {
    names: [
      'yamllint',
      'luacheck',
      'vint',
      'jsonlint',
      'taplo',
      'sqlfluff',
      'swiftlint',
      'ktlint',
      'detekt',
      'checkstyle',
      'tflint',
      'tfsec',
      'checkov',
      'kubeval',
      'kubeconform',
      'dockle',
      'editorconfig-checker',
      'ec',
      'markdown-link-check',
      'lychee',
      'commitlint',
      'gitlint',
      'gitleaks',
      'trufflehog',
    ],
    ...CHECKS,
    options: LINT_OPTIONS,
    judge: ({ program, words, options, context, span }) => {
      const verb = textOf(options.operands[0]) ?? '';
      const report = /^(?:checkstyle|dockle)$/.test(program) ? valueOf(options, '-o') : undefined;
      if (report !== undefined) touchWrite(context, report);
      // For commitlint `-x` names rules that it loads.
      if (program === 'commitlint' && hasOption(options, '-x')) loadsModules(options.operands, context);
      if (/^(?:lychee|markdown-link-check|checkov|trufflehog)$/.test(program)) {
        context.report.raise('warning', 'network', {
          text: 'contacts other machines to verify its findings',
          span,
        });
        context.report.effect({ kind: 'network' });
      }
      // Letters that are harmless for others: `jsonlint -i` edits in place, `ec -init` writes settings.
      const edits = program === 'jsonlint' && hasOption(options, '-i');
      const starts = /^(?:ec|editorconfig-checker)$/.test(program) && textOf(words[0]) === '-init';
      if (program === 'gitlint') loadsModules(valuesOf(options, '-e'), context);
      if (!CHANGES.test(verb) && !hasOption(options, '--edit') && !edits && !starts) return;
      context.report.raise('warning', 'formats', { text: 'rewrites files', span });
      context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['yamllint .', 'luacheck src'],
      warning: [
        'sqlfluff fix a.sql',
        'taplo fmt',
        'yamllint -c ./x .',
        'checkstyle -o x.xml A.java',
        'commitlint -x ./x.js',
        'jsonlint -i a.json',
        'swiftlint autocorrect',
        'ktlint installGitPreCommitHook',
        'ec -init',
        'gitlint -e ./x',
      ],
    },
  },
  {
    names: ['rubocop', 'standardrb', 'erb_lint', 'haml-lint', 'slim-lint', 'reek', 'brakeman', 'fasterer'],
    ...CHECKS,
    options:
      '-# -aAxlLFPDEnvVdhqSf: -c: --autocorrect --auto-correct --autocorrect-all --auto-correct-all --safe-auto-correct --fix --fix-layout --fix-unsafely --only= --except= --format= --display-cop-names --no-display-cop-names --extra-details --display-style-guide --display-only-fail-level-offenses --display-only-correctable --fail-fast --fail-level= --force-exclusion --only-recognized-file-types --ignore-parent-exclusion --lint --lint-all --parallel --no-parallel --debug --list-target-files --show-cops? --color --no-color --cache= --safe --quiet --no-pager --exit-on-warn --no-exit-on-warn --no-progress --version --verbose-version --help --enable-linters= --lint-all --stdin= --editor-mode --server --no-server',
    judge: (invocation) => {
      loadsFormatter(invocation);
      formats({
        check: undefined,
        write:
          /^(?:-a|-A|-x|--autocorrect|--auto-correct|--autocorrect-all|--auto-correct-all|--safe-auto-correct|--fix|--fix-layout|--fix-unsafely)$/,
      })(invocation);
    },
    examples: {
      safe: ['rubocop', 'rubocop --only Style/X app', 'brakeman -q'],
      warning: [
        'rubocop -a',
        'rubocop -A app/a.rb',
        'rubocop --init',
        'rubocop --auto-gen-config',
        'rubocop -r ./x',
        'rubocop --format Evil::X',
      ],
    },
  },
);

/** `rspec -f Evil::X`: a formatter with the name of a class is a file to load. */
function loadsFormatter({ options, context }: Invocation): void {
  for (const word of valuesOf(options, '-f --format')) {
    if (word === undefined || /^[a-z]*$/.test(textOf(word) ?? '?')) continue;
    context.report.raise('warning', 'loads-code', {
      text: 'loads a custom formatter',
      span: word.span,
    });
    context.report.effect(WRITES_UNKNOWN);
  }
}

/** First words of checkers with which they write. */
const CHANGES =
  /^(?:fix|format|fmt|init|--init|(?:un)?install\w*|hook|(?:un)?install-hook|lsp|dbt|autocorrect|baseline|generate[\w-]*|applyTo\w+)$/;

/** These first words do more than read, and so may an unknown word. */
export function onlyVerb(others: RegExp): (invocation: Invocation) => void {
  return ({ options, context, span }) => {
    const [verb] = options.operands;
    if (verb === undefined || !others.test(textOf(verb) ?? '')) return;
    context.report.raise('warning', 'unknown-command', { text: 'changes settings, caches or files', span });
    context.report.effect(WRITES_UNKNOWN);
  };
}
