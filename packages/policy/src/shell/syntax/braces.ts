/** A brace list with more words is treated as unknown. */
export const MAX_WORDS = 64;

/** Longer lists are treated as unknown. */
const MAX_LENGTH = 2048;

/** What `{a,b}`, `{1..5}` or `{a..e}` expands to; undefined when it holds quotes, expansions or too much. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const inner = text.slice(1, -1);
  if (/[\\'"$`*?[\]~]/.test(inner)) return undefined;
  const range = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])$/.exec(inner);
  if (range?.[1] !== undefined && range[2] !== undefined) return expandRange(range[1], range[2]);
  const alternatives = splitAlternatives(inner);
  if (alternatives === undefined || alternatives.length < 2) return undefined;
  const words: string[] = [];
  for (const alternative of alternatives) {
    const expanded = expandNested(alternative);
    if (expanded === undefined) return undefined;
    words.push(...expanded);
    if (words.length > MAX_WORDS) return undefined;
  }
  return words;
}

function expandRange(from: string, to: string): readonly string[] | undefined {
  const isNumeric = /\d/.test(from) && /\d/.test(to);
  // A leading zero pads; a letter and a number are not a range.
  if (!isNumeric && (from.length > 1 || to.length > 1 || /\d/.test(from) || /\d/.test(to))) return undefined;
  if (isNumeric && /^-?0\d/.test(from + to)) return undefined;
  const first = isNumeric ? Number(from) : from.charCodeAt(0);
  const last = isNumeric ? Number(to) : to.charCodeAt(0);
  const count = Math.abs(last - first) + 1;
  if (count > MAX_WORDS) return undefined;
  const step = last < first ? -1 : 1;
  return Array.from({ length: count }, (_, at) =>
    isNumeric ? String(first + at * step) : String.fromCodePoint(first + at * step),
  );
}

function splitAlternatives(inner: string): string[] | undefined {
  const parts = [''];
  let depth = 0;
  for (const char of inner) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (depth < 0) return undefined;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return depth === 0 ? parts : undefined;
}

function expandNested(text: string): readonly string[] | undefined {
  const open = text.indexOf('{');
  if (open < 0) return [text];
  const close = text.lastIndexOf('}');
  const middle = text.slice(open, close + 1);
  // Two groups beside each other are rare enough to be left unknown.
  if (close < open || middle.indexOf('}') < middle.lastIndexOf('{')) return undefined;
  return expandBraces(middle)?.map((one) => text.slice(0, open) + one + text.slice(close + 1));
}
