/** The options and operands of a program that reads them as GNU does. */
export type Words = Readonly<{
  operands: readonly string[];
  /** Whether one of these letters (`a`) or long names (`all`) is given. */
  has(...names: readonly string[]): boolean;
  value(option: string): string | undefined;
}>;

/**
 * @param table.values Options that take the next word, or glued text, as their value.
 * @param table.flags All others, when an unknown one may take the next word as well.
 * @returns null for ambiguous words.
 */
export function readWords(
  args: readonly string[],
  { values, flags }: { readonly values: readonly string[]; readonly flags?: readonly string[] },
): Words | null {
  const takes = new Set(values);
  const given = new Set<string>();
  const valueOf = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const [option, glued] = word.startsWith('--') ? atEquals(word) : bundled(word, takes, given);
    given.add(option);
    if (!takes.has(option)) continue;
    const value = glued ?? args[++at];
    if (value === undefined) return null;
    valueOf.set(option, value);
  }
  const known = flags && new Set([...values, ...flags]);
  if (known !== undefined && [...given].some((option) => !known.has(option))) return null;
  return {
    operands,
    has: (...names) => names.some((name) => given.has(name.length === 1 ? `-${name}` : `--${name}`)),
    value: (option) => valueOf.get(option),
  };
}

function atEquals(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** `-am "text"`: each letter is a flag up to one that takes the rest, or the next word. */
function bundled(
  word: string,
  takes: ReadonlySet<string>,
  given: Set<string>,
): readonly [string, string | undefined] {
  for (let at = 1; at < word.length - 1; at++) {
    const letter = `-${word[at]}`;
    if (takes.has(letter)) return [letter, word.slice(at + 1)];
    given.add(letter);
  }
  return [`-${word.slice(-1)}`, undefined];
}
