import { findRow, globalFlags } from '../commands/table/subcommand-table.ts';

/** The text before the cursor when a shell requests completions. */
export type TypedLine = Readonly<{
  subcommand: string | undefined;
  /** Where it would work: the flags `-C`, `--server` and `--token-file`. */
  directory: string | undefined;
  server: string | undefined;
  tokenFile: string | undefined;
  /** Complete arguments. */
  before: readonly string[];
  /** The one being typed; empty after a blank. */
  begun: string;
  /** It is the value of the flag before it. */
  isValue: boolean;
}>;

const WHERE = {
  '-C': 'directory',
  '--directory': 'directory',
  '--server': 'server',
  '--token-file': 'tokenFile',
} as const;

/**
 * Parses a line being typed: `signalbox -C shop approve p9`. Quotes may still be open.
 *
 * @param home value of `~`
 */
export function readTypedLine(line: string, home: string | undefined): TypedLine {
  const [, ...words] = wordsOf(line, home);
  const begun = /(?:^|[^\\])\s$/.test(line) ? '' : (words.pop() ?? '');
  const where: Record<'directory' | 'server' | 'tokenFile', string | undefined> = {
    directory: undefined,
    server: undefined,
    tokenFile: undefined,
  };
  let subcommand: string | undefined;
  const before: string[] = [];
  let isValue = false;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const flag = word.split('=', 1)[0] ?? '';
    if (!flag.startsWith('-')) {
      if (subcommand === undefined) subcommand = word;
      else before.push(word);
      continue;
    }
    const value = word.length > flag.length ? word.slice(flag.length + 1) : undefined;
    const isWhole = value !== undefined || !takesValue(subcommand, flag);
    isValue = !isWhole && i === words.length - 1;
    const next = isWhole ? value : words[++i];
    if (isWhere(flag)) where[WHERE[flag]] = next;
  }
  return { subcommand, ...where, before, begun, isValue };
}

function isWhere(flag: string): flag is keyof typeof WHERE {
  return Object.hasOwn(WHERE, flag);
}

function takesValue(subcommand: string | undefined, given: string): boolean {
  const flags = [...globalFlags, ...(findRow(subcommand ?? '')?.flags ?? [])];
  const flag = flags.find(({ name, short }) => given === `--${name}` || given === `-${short}`);
  return flag?.value !== undefined;
}

const WORD = /(?:[^\s'"\\]|\\[^]?|'[^']*'?|"(?:[^"\\]|\\[^])*"?)+/g;
const PIECE = /\\([^]?)|'([^']*)'?|"((?:[^"\\]|\\[^])*)"?|[^\s'"\\]+/g;

function wordsOf(line: string, home: string | undefined): readonly string[] {
  return (line.match(WORD) ?? []).map((raw) => {
    const bare = raw.replaceAll(
      PIECE,
      (piece: string, escaped?: string, single?: string, double?: string) =>
        escaped ?? single ?? double?.replaceAll(/\\([^])/g, '$1') ?? piece,
    );
    return home !== undefined && /^~(?:\/|$)/.test(raw) ? home + bare.slice(1) : bare;
  });
}
