import { judgeInnerCommand } from '../shells/inner-command.ts';
import { definePrograms, NETWORK, REPOSITORY_CODE, type Rule, WRITES_UNKNOWN } from '../../program.ts';
import { isDryRun, publishesUnless } from '../dry-run.ts';
import { beginningOf, mayBeOption, textOf } from '../../word.ts';
import { endangers, formatsUnless, installsInto, READ_ONLY, RUNS_PROJECT } from './toolchain-rules.ts';

const TARGET: NonNullable<Rule['effects']> = [
  REPOSITORY_CODE,
  { kind: 'write', path: 'target', scope: 'tree' },
];

/** Words after `--`: names of tests, and options of the test harness or of lints that write nothing. */
const PASSED_ON =
  /^(?:[^-]|$|--(?:nocapture|no-capture|ignored|include-ignored|exact|list|show-output|test|bench|color|format|quiet|report-time|shuffle|shuffle-seed|skip|test-threads|check|all|emit=stdout|cap-lints|baseline|quick|noplot|sample-size|warm-up-time|measurement-time)(?:=|$)|-[DWAFq](?:$|[\w:-]+$))/;

export const cargo = definePrograms(
  {
    names: ['cargo'],
    options:
      '-qvZ: -C: --quiet --verbose --offline --locked --frozen --color= --config=program --list --version -V',
    raises: [
      {
        when: '-C --config',
        level: 'warning',
        code: 'other-folder',
        text: 'runs in another folder or with other settings',
      },
    ],
    verbs: {
      'test t check c build b clippy bench doc d rustdoc nextest': {
        options:
          '-# -rhvqp: -F: -j: -E: --release --all --workspace --package= --lib --bins --bin= --tests --test= --examples --example= --benches --bench= --all-targets --features= --all-features --no-default-features --target= --profile= --cargo-profile= --message-format= --jobs= --keep-going --no-run --no-fail-fast --doc --exclude= --verbose --quiet --locked --offline --frozen --color= --future-incompat-report --ignore-rust-version --no-deps --document-private-items --help --retries= --test-threads= --nocapture --no-capture --run-ignored= --partition= --status-level= --failure-output= --success-output= --filter-expr= --filterset= --hide-progress-bar --fail-fast --max-fail= --no-tests=',
        effects: TARGET,
        judge: ({ words, context, span }) => {
          const end = words.findIndex((word) => textOf(word) === '--');
          const passed = end < 0 ? [] : words.slice(end + 1);
          const unusual = passed.some((word) => mayBeOption(word) || !PASSED_ON.test(beginningOf(word)));
          const archives = /^(?:archive|show-config|self|setup)$/.test(textOf(words[0]) ?? '');
          if (!unusual && !archives) return;
          context.report.raise('warning', 'unknown-option', {
            text: 'builds with options that may write or run more than usual',
            span,
          });
          context.report.effect(WRITES_UNKNOWN);
        },
      },
      fmt: { unknownOptions: 'any', judge: formatsUnless(/^--check$/) },
      'tree metadata pkgid locate-project verify-project version help read-manifest': READ_ONLY,
      'search info': {
        unknownOptions: 'any',
        level: 'warning',
        code: 'network',
        text: 'contacts a package registry',
        effects: [NETWORK],
      },
      'add remove rm': installsInto('Cargo.toml', 'Cargo.lock'),
      'update generate-lockfile': installsInto('Cargo.lock'),
      'install uninstall vendor': installsInto(),
      clean: {
        unknownOptions: 'any',
        judge: ({ context, span }) => {
          context.report.raise('warning', 'deletes', { text: 'deletes build output', span });
          context.report.effect({ kind: 'delete', path: 'target', scope: 'tree' });
        },
      },
      fetch: { ...installsInto(), judge: () => {} },
      watch: { ...RUNS_PROJECT, judge: ({ words, context }) => judgeInnerCommand(words, context) },
      'run r fix init new miri expand': RUNS_PROJECT,
      publish: publishesUnless(({ words }) => isDryRun(words, /^(?:--dry-run|-n)$/)),
      'yank owner login logout': endangers('publishes', 'publishes a crate', NETWORK),
    },
    examples: {
      safe: [
        'cargo test',
        'cargo check',
        'cargo clippy -- -D warnings',
        'cargo fmt --check',
        'cargo +nightly test',
        'cargo tree',
      ],
      warning: [
        'cargo test -- --logfile x',
        'cargo +/tmp/x test',
        'cargo tree --config x',
        'cargo fmt',
        'cargo add serde',
        'cargo run',
        'cargo clippy --fix',
        'cargo frobnicate',
        'cargo publish --dry-run',
        'cargo publish -n',
        'cargo publish --no-default-features --dry-run',
      ],
      dangerous: ['cargo test --target-dir ../x', 'cargo publish', 'cargo publish --color -n', 'cargo $x'],
    },
  },
  {
    names: ['rustup'],
    verbs: {
      'show which help': READ_ONLY,
      'toolchain component target override': {
        ...installsInto(),
        level: 'safe',
        effects: [],
        judge: ({ words, context, span }) => {
          if (textOf(words[0]) === 'list') return;
          context.report.raise('warning', 'installs', { text: 'installs or removes toolchains', span });
          for (const effect of [NETWORK, WRITES_UNKNOWN]) context.report.effect(effect);
        },
      },
      'update install default self doc': installsInto(),
      run: {
        ...installsInto(),
        style: 'posix',
        options: '--install',
        judge: ({ options, context }) => context.walk.runWords(options.operands.slice(1), context),
      },
    },
    examples: {
      safe: ['rustup show', 'rustup toolchain list'],
      warning: ['rustup update', 'rustup run stable ls'],
      dangerous: ['rustup run stable rm -rf lib'],
    },
  },
);
