import { definePrograms, NETWORK, type Rule, WRITES_UNKNOWN } from '../program.ts';
import { textOf } from '../word.ts';

const STEERS = 'controls Signalbox itself, which providers may not do';

/** Reads local state; a server elsewhere would get the caller's access token. */
const READ_ONLY: Rule = {
  options:
    '-hqv -C:list -f: --help --json --quiet --color= --no-color --ascii --no-input --provider= --tool= --outcome= --session= --level= --path= --text= --since= --all --limit= --cursor= --filter= --tree --stderr --tail= --follow --head= --watch --slowest= --exit-code --stat --by= --origin --mode= --cwd= --export=write --server= --token-file=read',
  raises: [
    {
      when: '--server --token-file',
      level: 'dangerous',
      code: 'network-sends',
      text: 'sends an access token to a server',
      effects: [NETWORK],
    },
  ],
};

/** Signalbox itself: the subcommands that providers may use, and those that they may not. */
export const ownProgram = definePrograms({
  names: ['signalbox'],
  options: '-C:list -qv --json --quiet --color= --no-color --ascii --no-input --version',
  verbs: {
    'status commands queue output diff history stats help audit': READ_ONLY,
    // It may repair, and send a billed request to a provider.
    doctor: { options: '-hqv -C:list --help --json --quiet --color= --no-color --ascii --no-input' },
    leases: {
      ...READ_ONLY,
      judge: ({ options, context, span }) => {
        if (options.operands.every((word) => textOf(word) === 'list')) return;
        context.report.raise('blocked', 'own-state', { text: STEERS, span });
      },
    },
    config: {
      ...READ_ONLY,
      judge: ({ options, context, span }) => {
        if (/^(?:list|get|path|schema|)$/.test(textOf(options.operands[0]) ?? '')) return;
        context.report.raise('blocked', 'own-state', { text: STEERS, span });
      },
    },
    // The line after the dashes is not run.
    check: READ_ONLY,
    tools: {
      ...READ_ONLY,
      judge: ({ options, context, span }) => {
        if (
          options.operands.every((word) => /^[\w*]+$/.test(textOf(word) ?? '-') && textOf(word) !== 'trust')
        )
          return;
        context.report.raise('blocked', 'own-state', { text: STEERS, span });
        context.report.effect(WRITES_UNKNOWN);
      },
    },
  },
  otherVerb: { level: 'blocked', code: 'own-state', text: STEERS, unknownOptions: 'any' },
  examples: {
    safe: [
      'signalbox status',
      'signalbox history --limit 5',
      'signalbox commands --cursor 1795340255934.cmd_m2qdw8x0k4tz',
      'signalbox leases --tree',
      'signalbox queue --follow',
      'signalbox audit -f "outcome:failed -tool:bash"',
      'signalbox stats --by file --slowest 5',
      'signalbox doctor',
      "signalbox check -- 'rm -rf lib'",
      'signalbox tools write_file',
      'signalbox config get approval.expiry',
    ],
    warning: [
      'signalbox status --frobnicate',
      'signalbox history --export x.csv',
      'signalbox doctor --provider openai',
    ],
    dangerous: ['signalbox status --server https://x.example', 'signalbox stats --token-file .env'],
    blocked: [
      'signalbox approve 12',
      'signalbox mode NORMAL',
      'signalbox run x',
      'signalbox leases revoke m2qd',
      'signalbox leases "$ACTION" m2qd',
      'signalbox tools trust x --yes',
      'signalbox config set a.b c',
    ],
  },
});
