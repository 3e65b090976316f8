/** One UTF-16 unit, told by its code. */
export type UnitTest = (unit: number) => boolean;
export type Place = 'start' | 'end' | 'edge' | 'no-edge';

export type RegexNode =
  /** `text`: the one character that it stands for, where it stands for one. */
  | { readonly kind: 'unit'; readonly test: UnitTest; readonly text?: string }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'all'; readonly nodes: readonly RegexNode[] }
  | { readonly kind: 'either'; readonly nodes: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: RegexNode;
      readonly least: number;
      readonly most: number | null;
    };

/** A pattern that can't be used; the message says why, lower case. */
export class RegexSyntaxError extends Error {}

/** At the beginning of a pattern: letters from a to z match in both cases. */
export const IGNORES_CASE = '(?i)';

const MAX_REPEAT = 100;

/**
 * Reads the regular part of regular expressions: characters, `.`, classes, `\d \w \s \b`, groups, `|`, `* + ? {n,m}`,
 * `^ $`, and `(?i)` at the beginning. Back references and look-around are no part of it.
 *
 * @throws {RegexSyntaxError}
 */
export function parseRegex(pattern: string): RegexNode {
  const ignoresCase = pattern.startsWith(IGNORES_CASE);
  const text = ignoresCase ? pattern.slice(IGNORES_CASE.length) : pattern;
  let at = 0;

  function either(): RegexNode {
    const nodes = [all()];
    while (take('|')) nodes.push(all());
    return nodes.length === 1 ? (nodes[0] as RegexNode) : { kind: 'either', nodes };
  }

  function all(): RegexNode {
    const nodes: RegexNode[] = [];
    while (at < text.length && text[at] !== '|' && text[at] !== ')') nodes.push(repeated(atom()));
    return { kind: 'all', nodes };
  }

  function repeated(node: RegexNode): RegexNode {
    const bounds = quantifier();
    if (bounds === undefined) return node;
    take('?');
    if (quantifier() !== undefined) refuse('repeats a repetition');
    return { kind: 'repeat', node, ...bounds };
  }

  function quantifier(): { least: number; most: number | null } | undefined {
    if (take('*')) return { least: 0, most: null };
    if (take('+')) return { least: 1, most: null };
    if (take('?')) return { least: 0, most: 1 };
    const [whole, first, comma, last] = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(text.slice(at, at + 12)) ?? [];
    if (whole === undefined) return undefined;
    at += whole.length;
    const least = Number(first);
    const most = comma === '' ? least : last === '' ? null : Number(last);
    if (least > MAX_REPEAT || (most ?? 0) > MAX_REPEAT) refuse(`repeats more than ${MAX_REPEAT} times`);
    if (most !== null && most < least) refuse('repeats fewer times at most than at least');
    return { least, most };
  }

  function atom(): RegexNode {
    const character = text.charAt(at++);
    switch (character) {
      case '(':
        return group();
      case '[':
        return unit(unitClass());
      case '.':
        return unit((code) => code !== 10 && code !== 13);
      case '^':
        return { kind: 'place', place: 'start' };
      case '$':
        return { kind: 'place', place: 'end' };
      case '*':
      case '+':
      case '?':
        return refuse(`has a "${character}" that repeats nothing`);
      case '\\':
        return escape();
      default:
        return literal(character);
    }
  }

  function group(): RegexNode {
    if (text.startsWith('?:', at)) at += 2;
    else if (text[at] === '?') refuse('looks around or names a group, which is not regular: "(?"');
    const node = either();
    if (!take(')')) refuse('opens a bracket that it does not close');
    return node;
  }

  function escape(): RegexNode {
    if (take('b')) return { kind: 'place', place: 'edge' };
    if (take('B')) return { kind: 'place', place: 'no-edge' };
    const letter = text.charAt(at);
    const node = unit(escapedUnit());
    return isMark(letter) ? literal(letter) : node;
  }

  function literal(character: string): RegexNode {
    return { kind: 'unit', test: oneOf(character), text: character };
  }

  function escapedUnit(): UnitTest {
    const letter = text[at++];
    if (letter === undefined) return refuse('ends in a backslash');
    const known = CLASSES[letter];
    if (known !== undefined) return known;
    const control = CONTROLS[letter];
    if (control !== undefined) return (code) => code === control;
    if (!isMark(letter)) refuse(`holds "\\${letter}", which has no meaning here`);
    return oneOf(letter);
  }

  function unitClass(): UnitTest {
    const isNegated = take('^');
    const tests: UnitTest[] = [];
    while (at < text.length && (text[at] !== ']' || tests.length === 0)) {
      const from = text.charAt(at++);
      if (from === '\\') {
        tests.push(escapedUnit());
        continue;
      }
      const to = text[at] === '-' && at + 1 < text.length && text[at + 1] !== ']' ? text[at + 1] : undefined;
      if (to === undefined) {
        tests.push(oneOf(from));
        continue;
      }
      if (to === '\\' || to < from) refuse('holds a range that ends before it begins');
      at += 2;
      tests.push(between(from.charCodeAt(0), to.charCodeAt(0)));
    }
    if (!take(']')) refuse('opens a square bracket that it does not close');
    return (code) => tests.some((test) => test(code)) !== isNegated;
  }

  function oneOf(character: string): UnitTest {
    const code = character.charCodeAt(0);
    return between(code, code);
  }

  function between(from: number, to: number): UnitTest {
    const isWithin = (code: number): boolean => code >= from && code <= to;
    if (!ignoresCase) return isWithin;
    return (code) => isWithin(code) || isWithin(otherCase(code));
  }

  function take(character: string): boolean {
    if (text[at] !== character) return false;
    at += 1;
    return true;
  }

  const node = either();
  if (at < text.length) refuse('closes a bracket that it does not open');
  return node;
}

function unit(test: UnitTest): RegexNode {
  return { kind: 'unit', test };
}

function refuse(why: string): never {
  throw new RegexSyntaxError(why);
}

/** What stands for itself behind a backslash. */
function isMark(character: string): boolean {
  return !/[a-z0-9]/i.test(character);
}

function otherCase(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code >= 97 && code <= 122 ? code - 32 : code;
}

const isDigit: UnitTest = (code) => code >= 48 && code <= 57;
export const isWordUnit: UnitTest = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isBlank: UnitTest = (code) => /\s/.test(String.fromCharCode(code));

const CLASSES: Readonly<Partial<Record<string, UnitTest>>> = {
  d: isDigit,
  D: (code) => !isDigit(code),
  w: isWordUnit,
  W: (code) => !isWordUnit(code),
  s: isBlank,
  S: (code) => !isBlank(code),
};

const CONTROLS: Readonly<Partial<Record<string, number>>> = { n: 10, r: 13, t: 9 };
