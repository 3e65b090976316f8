import type { Context } from '../../runtime/contract/context.ts';
import { quoteWord } from '../../terminal/quote-word.ts';
import { type Line, line, muted } from '../../terminal/line.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

const CONTINUED = ' \\';

/** The request of a list: its flags by name. */
type Asked = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** How to see the next page: the same flags with its cursor, to paste into a shell. */
export function moreLines(
  subcommand: string,
  { asked, next }: Readonly<{ asked: Asked; next: string }>,
  { flags: { directory, server, tokenFile }, noticeRender }: Pick<Context, 'flags' | 'noticeRender'>,
): readonly Line[] {
  const all = { ...asked, directory, server, 'token-file': tokenFile, cursor: next };
  const flags = Object.entries(all).flatMap(([name, value]) => flagsOf(name, value));
  const rows = wrapped(['more: signalbox', subcommand, ...flags], noticeRender().width);
  return rows.map((row) => line(muted(row)));
}

/** Rows that a shell reads as one line. */
function wrapped(words: readonly string[], width: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of words) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (row !== '' && longer.length + CONTINUED.length > width) {
      rows.push(`${row}${CONTINUED}`);
      row = `  ${word}`;
    } else row = longer;
  }
  return [...rows, row];
}

function flagsOf(name: string, value: Asked[string]): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  const values = typeof value === 'object' ? value : [name === 'since' ? lengthOfTime(Number(value)) : value];
  return values.map((one) => `--${name} ${quoteWord(String(one))}`);
}

/** As typed: `90m`. */
function lengthOfTime(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms > 0 && ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
