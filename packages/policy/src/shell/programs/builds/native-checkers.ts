import { definePrograms, NETWORK, REPOSITORY_CODE, type Rule, WRITES_UNKNOWN } from '../../program.ts';
import { hasOption, valueOf } from '../../options.ts';
import { touchWrite } from '../../paths/touch.ts';
import { literal, textOf } from '../../word.ts';
import { onlyVerb } from './checkers.ts';
import { fetches } from '../network/fetches.ts';
import { formats } from './formatters.ts';
import { valuesOf } from '../node/loads-modules.ts';

const CHECKS: Pick<Rule, 'effects'> = { effects: [REPOSITORY_CODE] };

/** Linters and formatters of Go, C, Rust, the shell and other languages. */
export const nativeCheckers = definePrograms(
  {
    names: ['gofmt', 'goimports', 'gofumpt', 'golines', 'gci', 'shfmt'],
    style: 'long',
    ...CHECKS,
    options:
      '-l -d -e -s -w -f -r= -local= --format-only --extra -lang= -modpath= -v -h --version -m= --max-len= --dry-run -i= -ln= --bn --ci --sr --kp --fn --mn --diff --list --write --simplify --minify -filename=',
    judge: formats({ check: undefined, write: /^-{0,2}(?:w|write)$/ }),
    examples: {
      safe: ['gofmt -l .', 'gofmt -d x.go', 'goimports -l ./...', 'shfmt -i 2 -bn -d .'],
      warning: ['shfmt -w x.sh', 'gofmt -w x.go', 'gofmt -cpuprofile x .', 'gci write .'],
    },
  },
  {
    names: [
      'stylua',
      'cmake-format',
      'buf',
      'terraform-docs',
      'jsonnetfmt',
      'nixfmt',
      'alejandra',
      'ocamlformat',
      'fourmolu',
      'ormolu',
      'swift-format',
      'swiftformat',
      'google-java-format',
      'djlint',
      'htmlbeautifier',
      'xmllint',
      'tidy',
    ],
    ...CHECKS,
    options:
      '-# -dlwskhviqn -m: -i -f: --diff --list --write --simplify --minify --dry-run --Werror --style= --fallback-style= --assume-filename= --lines= --offset= --length= --sort-includes --verbose --version --help --check --color= --inplace --in-place --files= --apply-ignore --case-indent --binary-next-line --indent= --language-dialect= --filename= --noout --format --xpath= --schema= --valid --html --pretty= --recursive --lint --reformat --mode= --fix',
    judge: ({ program, ...invocation }) => {
      formats({ check: undefined, write: /^(?:-w|-i|--write|--in-?place|--reformat|--fix|format)$/ })({
        program,
        ...invocation,
      });
      fetches(
        [...invocation.options.operands, ...valuesOf(invocation.options, '--schema')],
        invocation.context,
      );
      const mode = textOf(valueOf(invocation.options, '-m', '--mode')) ?? '';
      const isWriter = /^(?:stylua|nixfmt|alejandra|swiftformat|djlint|tidy|buf|htmlbeautifier)$/.test(
        program,
      );
      if (!isWriter && !mode.startsWith('in')) return;
      if (hasOption(invocation.options, '--check', '--lint', '--dry-run', '--version')) return;
      if (program === 'buf' && /^(?:lint|breaking|build)$/.test(textOf(invocation.options.operands[0]) ?? ''))
        return;
      invocation.context.report.raise('warning', 'formats', {
        text: 'rewrites files',
        span: invocation.span,
      });
      invocation.context.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['stylua --check .', 'xmllint --noout a.xml'],
      warning: [
        'stylua .',
        'xmllint --output x a.xml',
        'xmllint https://x.example/a.xml',
        'htmlbeautifier a.html',
        'ormolu --mode inplace a.hs',
      ],
    },
  },
  {
    names: ['clang-format'],
    style: 'long',
    ...CHECKS,
    options:
      '-i -n -h -v --dry-run --Werror -style= -fallback-style= -assume-filename= -lines= -offset= -length= --sort-includes --verbose --version --help -files= -ferror-limit= --fcolor-diagnostics --dump-config --fail-on-incomplete-format',
    judge: formats({ check: /^(?:-n|--dry-run)$/, write: /^-i$/ }),
    examples: {
      safe: ['clang-format --dry-run a.c', 'clang-format -style=Google a.c'],
      warning: ['clang-format -i a.c', 'clang-format -i --style=file src/a.c'],
    },
  },
  {
    names: ['clang-tidy', 'cppcheck', 'cpplint', 'iwyu_tool', 'actionlint'],
    style: 'long',
    ...CHECKS,
    options:
      '-checks= -config= -p= -header-filter= -warnings-as-errors= --quiet --list-checks --explain-config --dump-config -extra-arg= -line-filter= --system-headers --use-color -format-style= --enable-check-profile --enable= --disable= --std= --suppress= --inline-suppr --error-exitcode= --language= --platform= --template= --check-level= --force --verbose --xml --filter= --linelength= --recursive --counting= --extensions= --root= -j= -I= -i= -q -v -h --version --help --color --no-color --oneline --verbose -ignore= -format=',
    judge: onlyVerb(/^$/),
    examples: {
      safe: [
        'clang-tidy -p build a.c',
        'clang-tidy --checks=x a.c',
        'cppcheck --enable=all src',
        'actionlint',
      ],
      warning: [
        'actionlint -shellcheck=./x',
        'clang-tidy -fix a.c',
        'clang-tidy --fix-errors a.c',
        'clang-tidy --export-fixes=x a.c',
        'clang-tidy -load=./x.so a.c',
      ],
    },
  },
  {
    names: ['golangci-lint', 'staticcheck', 'revive', 'errcheck', 'ineffassign', 'gosec', 'govulncheck'],
    style: 'long',
    ...CHECKS,
    options:
      '-# -hvj: -E: -D: -e: -f= -checks= -tests= -go= -fail= --show-ignored -explain= -formatter= -exclude= --json --quiet -fmt= -exclude-dir= -severity= -confidence= -nosec= --blank --asserts -ignore= --enable= --disable= --enable-only= --default= --enable-all --disable-all --fast --fast-only --timeout= --tests --tests= --build-tags= --new --new-from-rev= --new-from-merge-base= --whole-files --max-issues-per-linter= --max-same-issues= --exclude= --exclude-use-default= --skip-dirs= --skip-files= --out-format= --print-issued-lines --print-linter-name --sort-results --issues-exit-code= --concurrency= --color= --verbose --version --help --presets= --no-config --show-stats --allow-parallel-runners --allow-serial-runners --fix --modules-download-mode=',
    judge: (invocation) => {
      onlyVerb(/^(?:cache|custom|migrate|fmt|completion|install)$/)(invocation);
      const { program, options, context, span } = invocation;
      // `json:report.json,checkstyle` names a file for each format.
      const files = (textOf(valueOf(options, '--out-format')) ?? '').split(',');
      for (const file of files.filter((one) => one.includes(':')))
        touchWrite(context, literal(file.slice(file.indexOf(':') + 1), span));
      if (program === 'govulncheck') {
        context.report.raise('warning', 'network', { text: 'sends package names to a service', span });
        context.report.effect(NETWORK);
      }
      formats({ check: undefined, write: /^--fix$/ })({
        ...invocation,
        options: {
          ...invocation.options,
          operands: invocation.options.operands.filter((word) => textOf(word) !== 'run'),
        },
      });
    },
    examples: {
      safe: [
        'golangci-lint run',
        'golangci-lint run --timeout 5m ./...',
        'golangci-lint linters',
        'staticcheck ./...',
      ],
      warning: [
        'golangci-lint run --fix',
        'golangci-lint run --out-format json:x.json',
        'govulncheck ./...',
        'golangci-lint cache clean',
        'golangci-lint run -c ../x.yml',
        'gosec -out x ./...',
      ],
    },
  },
  {
    names: ['rustfmt', 'leptosfmt', 'dx-fmt'],
    ...CHECKS,
    options:
      '-hlqvV --check --edition= --color= --print-config= --emit= --verbose --quiet --version --help --files-with-diff --config= --config-path=',
    judge: (invocation) => {
      if (hasOption(invocation.options, '--print-config')) {
        for (const file of invocation.options.operands) touchWrite(invocation.context, file);
        return;
      }
      formats({ check: /^--check$/, write: undefined })(invocation);
    },
    examples: {
      safe: ['rustfmt --check a.rs', 'rustfmt --edition 2021 --check a.rs'],
      warning: ['rustfmt a.rs', 'rustfmt --check --print-config default x'],
    },
  },
);
