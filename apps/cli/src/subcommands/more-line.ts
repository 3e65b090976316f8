import type { Context } from '../frame/context.ts';
import { quoteWord } from '../frame/quote-word.ts';
import { type Line, line, muted } from '../screen/line.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** What a list was asked for: its flags by their names. */
type Asked = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** How to see the page behind this one: the same question, with its cursor. */
export function moreLine(
  subcommand: string,
  asked: Asked,
  next: string,
  { flags: { directory, server, tokenFile } }: Pick<Context, 'flags'>,
): Line {
  const all = { ...asked, directory, server, 'token-file': tokenFile, cursor: next };
  const flags = Object.entries(all).flatMap(([name, value]) => flagsOf(name, value));
  return line(muted(`more: ${['signalbox', subcommand, ...flags].join(' ')}`));
}

function flagsOf(name: string, value: Asked[string]): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  const values = typeof value === 'object' ? value : [name === 'since' ? lengthOfTime(Number(value)) : value];
  return values.map((one) => `--${name} ${quoteWord(String(one))}`);
}

/** As it is typed: `90m`. */
function lengthOfTime(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms > 0 && ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
