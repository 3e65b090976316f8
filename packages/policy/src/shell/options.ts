import type { ArgumentRole } from './role.ts';
import { after, beginningOf, mayBeOption, mayBeSeveral, textOf, type Word } from './word.ts';

/**
 * Reads options the way programs do, from a notation that lists them.
 *
 *     -abc            flags, alone or bundled      --long           flag
 *     -abo:           the last takes a value
 *     -o:             takes a value                --long=          takes a value, glued or next
 *     -o:write        the value is a file written  --long=read      the value is a file read
 *     -i?             value only when glued        --color?         value only after `=`
 *     -#              a number, such as `-5`
 *
 * With style `long` names have one dash or two (`-name=`, `find`, `go`, `terraform`).
 */
export type OptionTable = ReadonlyMap<string, Shape>;
type Shape = Readonly<{ value: 'none' | 'required' | 'optional'; role: ArgumentRole }>;

export type Option = Readonly<{ name: string; value?: Word; word: Word }>;

export type Options = Readonly<{
  given: readonly Option[];
  operands: readonly Word[];
  unknown: readonly Word[];
  /** Words that may become options, or expand to some. */
  maybeOptions: readonly Word[];
}>;

export type Style = 'gnu' | 'posix' | 'long';

const tables = new Map<string, OptionTable>();

/** The table of a notation; each is parsed once. */
export function tableOf(notation: string): OptionTable {
  const known = tables.get(notation);
  if (known !== undefined) return known;
  const table = new Map<string, Shape>();
  for (const token of notation.split(/\s+/)) if (token !== '') addToken(table, token);
  tables.set(notation, table);
  return table;
}

function addToken(table: Map<string, Shape>, token: string): void {
  const end = token.slice(2).search(/[:=?]/) + 2;
  const name = end < 2 ? token : token.slice(0, end);
  const sign = token.slice(name.length, name.length + 1);
  const role = token.slice(name.length + 1) as ArgumentRole | '';
  const value = sign === '' ? 'none' : sign === '?' ? 'optional' : 'required';
  const shape: Shape = { value, role: role === '' ? 'text' : role };
  if (name.startsWith('--') || sign === '=') {
    table.set(name, shape);
    return;
  }
  // Several letters after one dash are several flags; a sign belongs to the last.
  for (const letter of name.slice(1, -1)) table.set(`-${letter}`, FLAG);
  table.set(`-${name.slice(-1)}`, shape);
}

const FLAG: Shape = { value: 'none', role: 'text' };

/** Splits words into options and operands. */
export function readOptions(words: readonly Word[], style: Style, table: OptionTable): Options {
  const given: Option[] = [];
  const operands: Word[] = [];
  const unknown: Word[] = [];
  const maybeOptions: Word[] = [];
  let at = 0;

  function next(): Word | undefined {
    at += 1;
    return words[at];
  }

  function give(names: readonly string[], value: Word | undefined, word: Word): void {
    // `-k $x`, `-k$x`: what follows the first of several words is an option like any other.
    if (value !== undefined && mayBeSeveral(value) && (value.kind !== 'glob' || value === words[at]))
      maybeOptions.push(value);
    for (const name of names) given.push(value === undefined ? { name, word } : { name, value, word });
  }

  function readLong(
    word: Word,
    beginning: string,
    { candidates }: Readonly<{ candidates: readonly string[] }>,
  ): void {
    const equals = beginning.indexOf('=');
    const glued = equals < 0 ? undefined : after(word, equals + 1);
    if (candidates.length !== 1 || (glued === undefined && word.kind !== 'literal')) unknown.push(word);
    const isRequired =
      candidates.length === 1 && candidates.some((name) => table.get(name)?.value === 'required');
    give(candidates, glued ?? (isRequired ? next() : undefined), word);
  }

  function readBundle(word: Word, beginning: string): void {
    for (let letter = 1; letter < beginning.length; letter += 1) {
      const flag = beginning.charAt(letter);
      const shape = table.get(`-${flag}`);
      if (shape === undefined) {
        if (/\d/.test(flag) && table.has('-#')) continue;
        unknown.push(word);
        return;
      }
      const isLast = letter === beginning.length - 1 && word.kind === 'literal';
      const rest = isLast ? undefined : after(word, letter + 1);
      if (shape.value === 'none') give([`-${flag}`], undefined, word);
      else return give([`-${flag}`], shape.value === 'required' ? (rest ?? next()) : rest, word);
    }
    if (word.kind !== 'literal') unknown.push(word);
  }

  function readSingle(word: Word, beginning: string): void {
    const stem = beginning.replace(/=.*$/s, '').replace(/^--/, '-');
    const name = [stem, `-${stem}`].find((one) => table.has(one));
    readLong(word, beginning, { candidates: name === undefined ? [] : [name] });
  }

  for (let word = words[at]; word !== undefined; word = next()) {
    const beginning = beginningOf(word);
    // A dash alone is standard input; with something unknown after it, it is an option.
    const isOption = beginning.startsWith('-') && textOf(word) !== '-';
    if (textOf(word) === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!isOption) {
      operands.push(word);
      if (style !== 'posix') {
        if (mayBeOption(word)) maybeOptions.push(word);
        continue;
      }
      // `bash -n src/$f`: split-off words come after the first operand.
      if (mayBeOption(word) && /^\s*(?:-|$)/.test(beginning)) maybeOptions.push(word);
      operands.push(...words.slice(at + 1));
      break;
    }
    if (style === 'long') readSingle(word, beginning);
    else if (beginning.startsWith('--'))
      readLong(word, beginning, { candidates: longNames(beginning, table) });
    else readBundle(word, beginning);
  }
  return { given, operands, unknown, maybeOptions };
}

/** The exact name, or all that the given prefix abbreviates. */
function longNames(beginning: string, table: OptionTable): readonly string[] {
  const stem = beginning.replace(/=.*$/s, '');
  if (table.has(stem)) return [stem];
  return [...table.keys()].filter((name) => name.startsWith('--') && name.startsWith(stem));
}

export function hasOption(options: Options, ...names: readonly string[]): boolean {
  return options.given.some((option) => names.includes(option.name));
}

/** The last value given to any of the names. */
export function valueOf(options: Options, ...names: readonly string[]): Word | undefined {
  return options.given.findLast((option) => names.includes(option.name))?.value;
}
