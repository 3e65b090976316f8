import { definePrograms, NETWORK, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { hasOption } from '../../options.ts';
import { beginningOf, textOf } from '../../word.ts';
import { formats } from '../builds/formatters.ts';
import { judgeProgramText } from '../shells/interpreters.ts';
import { PUBLISHES } from './node-packages.ts';

/** Deno: a runtime, a linter and a test runner at once. */
export const deno = definePrograms({
  names: ['deno'],
  verbs: {
    'check lint info doc types help': {
      options:
        '-hqc:read --all --json --quiet --config=read --no-config --rules --compact --ignore= --rules-tags= --rules-include= --rules-exclude= --node-modules-dir? --no-lock --lock= --filter= --private --builtin --name= --doc --doc-only --help --version --watch --fix',
      effects: [REPOSITORY_CODE],
      judge: ({ options, context, span }) => {
        if (hasOption(options, '--fix')) {
          context.report.raise('warning', 'formats', { text: 'rewrites files', span });
          context.report.effect(WRITES_UNKNOWN);
        }
        if (!options.operands.some((word) => /^(?:https?|npm|jsr):/.test(beginningOf(word)))) return;
        context.report.raise('warning', 'network', { text: 'fetches a module', span });
        context.report.effect(NETWORK);
      },
    },
    fmt: {
      options:
        '-q --check --config= --ignore= --ext= --quiet --watch --use-tabs --line-width= --indent-width= --single-quote --no-semicolons --prose-wrap=',
      judge: formats({ check: /^--check$/, write: undefined }),
    },
    test: {
      options:
        '-hqRES --allow-read? --allow-env? --allow-sys? --allow-import? --deny-read? --deny-write? --deny-net? --deny-env? --deny-run? --filter= --doc --fail-fast? --ignore= --no-check? --check? --parallel --trace-leaks --shuffle? --reporter= --permit-no-files --quiet --watch --no-run --hide-stacktraces --help',
      effects: [REPOSITORY_CODE],
    },
    'run eval repl install add remove task compile bundle upgrade serve bench cache vendor x': {
      unknownOptions: 'any',
      level: 'warning',
      code: 'unknown-script',
      text: 'runs code or installs packages',
      effects: [WRITES_UNKNOWN, NETWORK, REPOSITORY_CODE],
      judge: (invocation) => {
        for (const word of invocation.words) {
          if (textOf(word)?.includes('(') === true) judgeProgramText(word, invocation);
          if (/^https?:/.test(beginningOf(word)))
            invocation.context.report.raise('dangerous', 'runs-fetched', {
              text: 'runs code downloaded from the network',
              span: word.span,
            });
        }
      },
    },
    'deploy publish': PUBLISHES,
  },
  examples: {
    safe: ['deno test', 'deno test --allow-read', 'deno fmt --check', 'deno lint'],
    dangerous: [`deno eval 'Deno.removeSync("a")'`, 'deno run https://x.example/a.ts'],
    warning: [
      'deno test -A',
      'deno test --coverage=x',
      'deno info https://x.example/m.ts',
      'deno run x.ts',
      'deno fmt',
    ],
  },
});
