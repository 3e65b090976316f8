import { judgeInnerCommand } from './inner-command.ts';
import { definePrograms, NETWORK, REPOSITORY_CODE, type Rule } from '../program.ts';
import {
  buildsUnless,
  endangers,
  formatsUnless,
  installsInto,
  LOOKS,
  RUNS_PROJECT,
} from './toolchain-rules.ts';

const TARGET: NonNullable<Rule['effects']> = [
  REPOSITORY_CODE,
  { kind: 'write', path: 'target', scope: 'tree' },
];

/** Rust. */
export const cargo = definePrograms(
  {
    names: ['cargo'],
    options:
      '-qvZ:C: --quiet --verbose --offline --locked --frozen --color= --config=program --list --version -V',
    raises: [
      {
        when: '-C --config',
        level: 'warning',
        code: 'other-folder',
        text: 'runs in another folder, or by other settings',
      },
    ],
    verbs: {
      'test t check c build b clippy bench doc d rustdoc nextest': {
        unknownOptions: 'any',
        effects: TARGET,
        judge: buildsUnless(
          /^--(?:fix|target-dir|out-dir|artifact-dir|config|open|allow-dirty|manifest-path|install)/,
        ),
      },
      fmt: { unknownOptions: 'any', judge: formatsUnless(/^--check$/) },
      'tree metadata pkgid locate-project verify-project version help read-manifest': LOOKS,
      'search info': {
        unknownOptions: 'any',
        level: 'warning',
        code: 'network',
        text: 'asks a package registry',
        effects: [NETWORK],
      },
      'add remove rm': installsInto('Cargo.toml', 'Cargo.lock'),
      'update generate-lockfile': installsInto('Cargo.lock'),
      'install uninstall vendor': installsInto(),
      clean: {
        unknownOptions: 'any',
        judge: ({ scene, span }) => {
          scene.report.raise('warning', 'deletes', 'deletes what was built', span);
          scene.report.effect({ kind: 'delete', path: 'target', scope: 'tree' });
        },
      },
      fetch: { ...installsInto(), judge: () => {} },
      watch: { ...RUNS_PROJECT, judge: ({ words, scene }) => judgeInnerCommand(words, scene) },
      'run r fix init new miri expand': RUNS_PROJECT,
      'publish yank owner login logout': endangers('publishes', 'publishes a crate', NETWORK),
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
      warning: ['cargo fmt', 'cargo add serde', 'cargo run', 'cargo clippy --fix', 'cargo frobnicate'],
      dangerous: ['cargo publish', 'cargo $x'],
    },
  },
  {
    names: ['rustup'],
    verbs: {
      'show which help doc': LOOKS,
      'update install default toolchain component target override self run': installsInto(),
    },
    examples: { safe: ['rustup show'], warning: ['rustup update'] },
  },
);
