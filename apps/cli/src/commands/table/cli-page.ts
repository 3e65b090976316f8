import { EXIT_CODES } from '../../runtime/contract/exit-code.ts';
import { flagText, usageOf } from './help-text.ts';
import type { SubcommandRow } from './subcommand-row.ts';
import { globalFlags, helpGroups, subcommandTable } from './subcommand-table.ts';

/** `docs/cli.md`, generated from the table of subcommands. */
export function cliPage(): string {
  return `${[
    '# The command line',
    '',
    '<!-- Made from apps/cli/src/commands/table by `node scripts/run.mjs exec node apps/cli/src/docs.ts`: change the table, not this page. -->',
    '',
    '`signalbox [flags] SUBCOMMAND [flags] [arguments]`. Text after `--` is one shell line, never parsed as flags.',
    'From this checkout: `bin/signalbox SUBCOMMAND`.',
    '',
    '- [Subcommands](#subcommands)',
    '- [Global flags](#global-flags)',
    '- [Exit codes](#exit-codes)',
    '- [Ids](#ids)',
    '- [Screens, pipes and JSON](#screens-pipes-and-json)',
    '- [Settings](#settings)',
    '- [Approvals](#approvals)',
    '',
    '## Subcommands',
    ...helpGroups.flatMap(([group]) => [
      '',
      `### ${group}`,
      ...subcommandTable.filter((row) => row.group === group).flatMap(section),
    ]),
    '',
    '## Global flags',
    '',
    ...table(
      ['flag', 'meaning'],
      globalFlags.map((flag) => [code(flagText(flag)), flag.text]),
    ),
    '',
    '## Exit codes',
    '',
    ...table(
      ['code', 'means'],
      EXIT_CODES.map(([number, meaning]) => [number, meaning]),
    ),
    '',
    ...REST,
  ].join('\n')}\n`;
}

const REST: readonly string[] = [
  '## Ids',
  '',
  'A command is called `cmd_` and 12 letters and digits. Screens show the first 4; any unique beginning of at least 3 is',
  'taken, with or without `cmd_`. `@last` is the newest command, `@mine` the newest of your own (`exec`), `@approval` the',
  'only one that waits for a person; an undo that was refused is neither of the first two. An approval has no id of its own:',
  'it is the command’s. A session is named by any beginning of its id, or by `@last`: that of the newest command.',
  '',
  '## Screens, pipes and JSON',
  '',
  '- The answer is on standard output, the talk on standard error.',
  '- Without a terminal nothing is redrawn, nothing is cut and ids are in full; `run` prints a sign of life after 30 s.',
  '- Colour is off with `NO_COLOR`, `TERM=dumb` or `--color never`, and on with `FORCE_COLOR` or `--color always`.',
  '- `--ascii`, `SIGNALBOX_ASCII=1` or a locale without UTF-8 prints ASCII alone.',
  '- `SIGNALBOX_PLAIN=1` (screen readers) asks by typed lines and redraws nothing.',
  '- `diff`, `history`, `audit`, `policy explain`, `policy replay` and the help go through `SIGNALBOX_PAGER`, else `PAGER`,',
  '  else `less -FRX`, where they are longer than the screen. Empty or `cat`: never. `--no-input`, `CI` and `TERM=dumb`: neither.',
  '- `-v` adds where the data came from and how long that took.',
  '- `--json` prints one document, or one object a line for streams. An error is `{"error":{code,message,why,next,exit}}`.',
  '- Whatever a model or a program wrote is shown with its control, invisible and bidirectional characters written out:',
  '  `\\x1b`, `<U+202E>`, more than 8 blanks as `·×180`, a letter that poses as a Latin one as `<U+0430>`. Only the colours of a program’s own',
  '  output pass. The dashboard writes the same.',
  '',
  '## Settings',
  '',
  'The strongest first: flags, `SIGNALBOX_*` (`SIGNALBOX_MODE=ALERT`; two underscores go down one level:',
  '`SIGNALBOX_APPROVAL__EXPIRY=15m`), `.signalbox/local.yaml` (yours), `signalbox.yaml` (shared), your own file for all',
  'workspaces (`signalbox config path`), the defaults. In what keeps you safe the strictest wins instead: a shared file',
  'only tightens. `signalbox config list --origin` says who set what.',
  '',
  '## Approvals',
  '',
  'In a terminal the waiting call is shown whole, and keys answer: `a` approve (dangerous calls want `↵` too), `d` deny with',
  'a reason, `m` change the shell line first (it is re-checked), `v` everything that is known, `Esc` leave it waiting. Keys',
  'of the first 0.4 s do not count. Nobody is asked where there is no terminal: the call waits until it expires, and the log',
  'prints how to answer from another terminal: `signalbox approve ID --expect HASH`. Inside a command (`SIGNALBOX_COMMAND`',
  'is set) `approve`, `deny`, `cancel` and `mode` refuse: a provider cannot sign for itself.',
];

function section(row: SubcommandRow): readonly string[] {
  const flags = row.flags ?? [];
  return [
    '',
    `#### ${row.name}`,
    '',
    `${row.summary}.`,
    ...(row.about ?? []).map((paragraph) => `\n${paragraph}`),
    '',
    '```sh',
    usageOf(row),
    '',
    ...row.examples,
    '```',
    ...(flags.length === 0
      ? []
      : [
          '',
          ...table(
            ['flag', 'meaning'],
            flags.map((flag) => [code(flagText(flag)), flag.text]),
          ),
        ]),
    '',
    `Exit codes: ${row.exitCodes.map(([number, text]) => `${number} ${text}`).join('; ')}.`,
    '',
    `With \`--json\`: ${row.json === '–' ? 'the same' : code(row.json)}.`,
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = head.map((title, i) =>
    Math.max(title.length, ...escaped.map((row) => (row[i] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...escaped.map(line)];
}

function code(text: string): string {
  return `\`${text}\``;
}
