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
  'A command is called `cmd_` and 12 letters and digits. Screens show the first 4; any unique prefix of at least 3 is',
  'accepted, with or without `cmd_`. `@last` is the newest command, `@mine` the newest of your own (`exec`), `@approval` the',
  'only one with a pending approval. The first two skip an undo that failed. An approval has no id of its own: it has that',
  'of its command. A session is named by any prefix of its id, or by `@last`: the session of the newest command.',
  '',
  '## Screens, pipes and JSON',
  '',
  '- The answer is on standard output, messages are on standard error.',
  '- Without a terminal nothing is redrawn, nothing is cut and ids are in full; `run` prints a line after 30 s without output.',
  '- Colour is off with `NO_COLOR`, `TERM=dumb` or `--color never`, and on with `FORCE_COLOR` or `--color always`.',
  '- `--ascii`, `SIGNALBOX_ASCII=1` or a locale without UTF-8 prints only ASCII.',
  '- `SIGNALBOX_PLAIN=1` (screen readers) prompts for typed answers and redraws nothing.',
  '- `diff`, `history`, `audit`, `policy explain`, `policy replay` and the help go through `SIGNALBOX_PAGER`, else `PAGER`,',
  '  else `less -FRX`, if they are longer than the screen. Empty or `cat` turns that off, and so do `--no-input`, `CI` and `TERM=dumb`.',
  '- `-v` adds the source of the data and how long reading it took.',
  '- `--json` prints one document, or one object a line for streams. An error is `{"error":{code,message,why,next,exit}}`.',
  '- Text from a model or a program is shown with control, invisible and bidirectional characters as escapes:',
  '  `\\x1b`, `<U+202E>`, more than 8 blanks as `·×180`, a letter that looks like a Latin one as `<U+0430>`. Only the colours of a program’s own',
  '  output are kept. The dashboard does the same.',
  '',
  '## Settings',
  '',
  'Highest precedence first: flags, `SIGNALBOX_*` (`SIGNALBOX_MODE=ALERT`; two underscores go down one level:',
  '`SIGNALBOX_APPROVAL__EXPIRY=15m`), `.signalbox/local.yaml` (yours), `signalbox.yaml` (shared), your own file for all',
  'workspaces (`signalbox config path`), the defaults. For safety settings the strictest value wins instead: a shared file',
  'can only tighten. `signalbox config list --origin` shows the source of each value.',
  '',
  '## Approvals',
  '',
  'In a terminal the pending call is shown in full and answered with keys: `a` approve (dangerous calls also need `↵`), `d` deny',
  'with a reason, `m` edit the shell line first (it is re-checked), `v` view everything, `Esc` leave it pending. Keys pressed in',
  'the first 0.4 s are ignored. Without a terminal there is no prompt: the approval stays pending until it expires, and the log',
  'prints how to answer from another terminal: `signalbox approve ID --expect HASH`. Inside a command (`SIGNALBOX_COMMAND`',
  'is set) `approve`, `deny`, `cancel` and `mode` fail: a provider cannot approve its own calls.',
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
