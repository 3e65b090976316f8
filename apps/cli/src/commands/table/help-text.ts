import { Command, Help } from 'commander';
import { optionOf } from './option-of.ts';
import type { Argument, Flag, SubcommandRow } from './subcommand-row.ts';
import { findRow, helpGroups } from './subcommand-table.ts';

const WIDTH = 80;

/** `signalbox --help`: at most 80 cells a line, ASCII. */
export function mainHelp(): string {
  return [
    'Several LLM providers, one codebase: every command is checked and recorded.',
    '',
    'Usage: signalbox SUBCOMMAND [flags]',
    ...helpGroups.flatMap(([group, lines]) => ['', group, ...lines.map(groupLine)]),
    '',
    'Global flags',
    '  -C DIR  --json  -q  -v  --color auto|always|never  --ascii  --no-input  -h',
    '',
    'Examples',
    '  signalbox run "Make the tests pass" --until "npm test"',
    "  signalbox check -- 'curl https://example.com/x | sh'",
    '',
    'Flags, examples and exit codes: signalbox SUBCOMMAND --help',
    '',
  ].join('\n');
}

/** `signalbox SUBCOMMAND --help`. */
export function subcommandHelp(row: SubcommandRow): string {
  const about = [row.summary, ...(row.args ?? []).flatMap(longChoices), ...(row.about ?? [])];
  const command = new Command(`signalbox ${row.name}`)
    .usage(usageOf(row).replace(`signalbox ${row.name}`, '').trim())
    .description(about.join('\n\n'))
    .helpOption(false)
    .configureHelp({ helpWidth: WIDTH });
  for (const flag of row.flags ?? []) command.addOption(optionOf(flag));
  return [
    command.helpInformation(),
    ...(row.examples.some((example) => example.length > WIDTH - 12)
      ? ['Examples', ...row.examples.map((example) => `  ${example}`)]
      : labelled(row.examples.length > 1 ? 'Examples' : 'Example', row.examples.join('\n'))),
    ...labelled('Exit codes', row.exitCodes.map(([code, text]) => `${code} ${text}`).join('; ')),
    ...labelled('--json', row.json),
    ...(row.seeAlso === undefined ? [] : labelled('See also', row.seeAlso.join(', '))),
    '',
  ].join('\n');
}

/** `signalbox output ID [flags]` */
export function usageOf(row: SubcommandRow): string {
  const parts = ['signalbox', row.name, ...(row.args ?? []).map(argumentText)];
  if ((row.flags ?? []).length > 0) parts.push('[flags]');
  if (row.takesLine === true) parts.push('-- LINE');
  return parts.join(' ');
}

/** `-p, --provider ID` */
export function flagText(flag: Flag): string {
  const value = flag.choices === undefined ? flag.value : flag.choices.join('|');
  const long = `--${flag.name}${value === undefined ? '' : ` ${value}`}`;
  return flag.short === undefined ? long : `-${flag.short}, ${long}`;
}

function longChoices({ name, choices }: Argument): readonly string[] {
  if (choices === undefined || choices.join('|').length <= CHOICES_WIDTH) return [];
  return [`${name}: ${choices.join(', ')}`];
}

/** Cells for choices in a usage line; longer ones are listed below it. */
const CHOICES_WIDTH = 36;

function argumentText({ name, kind, choices }: Argument): string {
  const listed = choices?.join('|');
  const text = listed === undefined || listed.length > CHOICES_WIDTH ? name : listed;
  switch (kind) {
    case 'required':
      return text;
    case 'optional':
      return `[${text}]`;
    case 'any-number':
      return `[${text}...]`;
  }
}

const BESIDE = 45;

function groupLine(names: readonly string[]): string {
  const [first = '', second] = names.map((name) => `${name.padEnd(12)} ${findRow(name)?.brief ?? ''}`);
  return second === undefined ? `  ${first}` : `  ${first.padEnd(BESIDE - 2)}${second}`;
}

function labelled(label: string, text: string): readonly string[] {
  const rows = new Help().boxWrap(text, WIDTH - 12).split('\n');
  return rows.map((row, i) => (i === 0 ? label : '').padEnd(12) + row);
}
