import { nearestWord } from '@signalbox/core';
import { Command, CommanderError } from 'commander';
import { optionOf } from '../commands/table/option-of.ts';
import type { Argument, SubcommandRow } from '../commands/table/subcommand-row.ts';
import { findRow, globalFlags, hiddenRows, subcommandTable } from '../commands/table/subcommand-table.ts';
import type { GlobalFlags } from '../runtime/contract/global-flags.ts';
import { quoteWord } from '../terminal/quote-word.ts';

/** A parsed command line. */
export type CommandLine =
  | Readonly<{
      kind: 'run';
      row: SubcommandRow;
      given: Readonly<Record<string, unknown>>;
      flags: GlobalFlags;
    }>
  | Readonly<{ kind: 'help'; row: SubcommandRow | null }>
  | Readonly<{ kind: 'version' }>
  | Readonly<{ kind: 'bare'; flags: GlobalFlags }>
  | Readonly<{ kind: 'mistake'; message: string; why: readonly string[]; next: readonly string[] }>;

/**
 * Parses the arguments after `signalbox`. The text after `--` is one shell line and never parsed as flags: a single
 * word is used unchanged, several are quoted again where needed.
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const dashes = argv.indexOf('--');
  const head = dashes < 0 ? argv : argv.slice(0, dashes);
  const words = dashes < 0 ? [] : argv.slice(dashes + 1);
  if (head.includes('-h') || head.includes('--help')) return { kind: 'help', row: firstRow(head) ?? null };
  if (head.includes('--version')) return { kind: 'version' };
  let found: CommandLine | undefined;
  const program = buildProgram(head, (answer) => {
    found = answer(words);
  });
  try {
    program.parse(head, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return mistakeOf(error, head, firstRow(head));
    throw error;
  }
  return found ?? { kind: 'help', row: null };
}

type Answer = (words: readonly string[]) => CommandLine;

/** Registers only the named subcommands: registering all takes longer than parsing. */
function buildProgram(head: readonly string[], onAnswer: (answer: Answer) => void): Command {
  const program = quietly(new Command('signalbox')).helpOption(false).helpCommand(false);
  for (const flag of globalFlags) program.addOption(optionOf(flag));
  program
    .argument('[subcommand]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((name: string | undefined) => {
      onAnswer((words) =>
        name === undefined && words.length === 0
          ? { kind: 'bare', flags: flagsOf(program) }
          : unknownSubcommand(name ?? '--'),
      );
    });
  for (const row of [...subcommandTable, ...hiddenRows])
    if (head.includes(row.name)) addSubcommand(program, row, onAnswer);
  return program;
}

function addSubcommand(program: Command, row: SubcommandRow, onAnswer: (answer: Answer) => void): void {
  const command = quietly(program.command(row.name)).helpOption(false).allowExcessArguments(false);
  for (const argument of row.args ?? []) command.argument(placeholderOf(argument));
  for (const flag of row.flags ?? []) command.addOption(optionOf(flag));
  command.action(() => {
    onAnswer((words) => {
      if (words.length > 0 && row.takesLine !== true) {
        return mistake(`Cannot run "signalbox ${row.name}": it takes no shell line`, row);
      }
      const args = (row.args ?? []).map(({ name }, i) => [
        name.toLowerCase(),
        command.processedArgs[i] as unknown,
      ]);
      const line =
        words.length > 0 ? { line: words.length === 1 ? words[0] : words.map(quoteWord).join(' ') } : {};
      const given = { ...command.opts(), ...Object.fromEntries(args), ...line };
      return { kind: 'run', row, given, flags: { ...flagsOf(program), ...serverOf(command) } };
    });
  });
}

function quietly(command: Command): Command {
  return command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
}

function placeholderOf({ name, kind }: Argument): string {
  const dots = kind === 'any-number' ? '...' : '';
  return kind === 'required' ? `<${name}${dots}>` : `[${name}${dots}]`;
}

function flagsOf(program: Command): GlobalFlags {
  const given: Partial<GlobalFlags> = program.opts();
  return {
    ...(given.directory === undefined ? {} : { directory: given.directory }),
    json: given.json ?? false,
    quiet: given.quiet ?? false,
    verbose: Math.min(2, given.verbose ?? 0),
    color: given.color ?? 'auto',
    ascii: given.ascii ?? false,
    input: given.input ?? true,
  };
}

function serverOf(command: Command): Pick<GlobalFlags, 'server' | 'tokenFile'> {
  const { server, tokenFile }: Pick<GlobalFlags, 'server' | 'tokenFile'> = command.opts();
  return { ...(server === undefined ? {} : { server }), ...(tokenFile === undefined ? {} : { tokenFile }) };
}

/** The subcommand named first; `help run` names `run`. */
function firstRow(head: readonly string[]): SubcommandRow | undefined {
  const [first, second] = head.flatMap((word) => findRow(word) ?? []);
  return first?.name === 'help' ? (second ?? first) : first;
}

function unknownSubcommand(word: string): CommandLine {
  const isFlag = word.startsWith('-');
  const known = isFlag ? globalFlags.map(({ name }) => `--${name}`) : subcommandTable.map(({ name }) => name);
  const meant = nearestWord(word, known);
  return {
    kind: 'mistake',
    message: isFlag ? `Cannot understand flag "${word}"` : `Cannot find subcommand "${word}"`,
    why: [],
    next: [...(meant === undefined ? [] : [`did you mean: signalbox ${meant}`]), 'signalbox --help'],
  };
}

function mistakeOf(
  error: CommanderError,
  head: readonly string[],
  row: SubcommandRow | undefined,
): CommandLine {
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const flag = named.split(/[ ,]+/).find((word) => word.startsWith('--')) ?? named;
  switch (error.code) {
    case 'commander.unknownOption': {
      const known = [...(row?.flags ?? []), ...globalFlags].map(({ name }) => `--${name}`);
      return mistake(`Cannot understand flag "${named}"`, row, {
        meant: OTHER_WORDS[named] ?? nearestWord(named, known),
      });
    }
    case 'commander.optionMissingArgument':
      return mistake(`Cannot use flag "${flag}": its value is missing`, row);
    case 'commander.missingArgument':
      return mistake(`Cannot run "signalbox ${row?.name ?? ''}": ${named} is missing`, row);
    case 'commander.excessArguments':
      return mistake(`Cannot run "signalbox ${row?.name ?? ''}": too many arguments`, row, {
        meant: lineMeant(row, head),
      });
    case 'commander.invalidArgument':
      return mistake(`Cannot use flag "${flag}": ${error.message.split('. ').at(-1) ?? error.message}`, row);
    default:
      return mistake(`Cannot understand the command line: ${error.message.replace(/^error: /, '')}`, row);
  }
}

/** The same words as a shell line, for a forgotten `--`. */
function lineMeant(row: SubcommandRow | undefined, head: readonly string[]): string | undefined {
  if (row?.takesLine !== true || (row.args ?? []).length > 0) return undefined;
  const words = head.slice(head.indexOf(row.name) + 1);
  if (words[0]?.startsWith('-') !== false) return undefined;
  return `signalbox ${row.name} -- ${words.map(quoteWord).join(' ')}`;
}

/** Names in other programs. */
const OTHER_WORDS: Readonly<Record<string, string>> = { '--url': '--server' };

function mistake(
  message: string,
  row: SubcommandRow | undefined,
  { meant }: Readonly<{ meant?: string | undefined }> = {},
): CommandLine {
  const help = row === undefined ? 'signalbox --help' : `signalbox ${row.name} --help`;
  return {
    kind: 'mistake',
    message,
    why: [],
    next: [...(meant === undefined ? [] : [`did you mean: ${meant}`]), help],
  };
}
