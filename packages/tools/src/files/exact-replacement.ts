import { splitLines } from './line-range.ts';

export type Replacement =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'no-match'; readonly nearMisses: readonly string[] }
  /** The line numbers where the matches begin, from 1. */
  | { readonly kind: 'many-matches'; readonly lines: readonly number[] };

/**
 * Replaces a text that must occur exactly once, or every occurrence with `all`.
 *
 * Models write line feeds: in a file whose every line ends with CR LF, both texts get CR LF as well, so a
 * replacement never mixes line endings and nothing outside the match changes.
 */
export function replaceExactly(
  text: string,
  { oldText, newText, all }: { oldText: string; newText: string; all: boolean },
): Replacement {
  const wanted = adoptLineEndings(oldText, text);
  const pieces = piecesOf(text, wanted);
  const count = pieces.length - 1;
  if (count === 0) return { kind: 'no-match', nearMisses: findNearMisses(text, wanted) };
  if (count > 1 && !all) return { kind: 'many-matches', lines: matchLines(pieces, wanted) };
  return { kind: 'replaced', text: pieces.join(adoptLineEndings(newText, text)), count };
}

/** Like `split`, in linear time. */
function piecesOf(text: string, wanted: string): readonly string[] {
  const starts = findOccurrences(text, wanted, { mayOverlap: false });
  const begins = [0, ...starts.map((start) => start + wanted.length)];
  return begins.map((begin, at) => text.slice(begin, starts[at]));
}

/** Converts line feeds to CR LF if the sample has no other line ending. */
export function adoptLineEndings(text: string, sample: string): string {
  const onlyCrLf = sample.includes('\r\n') && !/(?<!\r)\n/.test(sample);
  return onlyCrLf ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

function matchLines(pieces: readonly string[], wanted: string): readonly number[] {
  let line = 1;
  return pieces.slice(0, -1).map((piece) => {
    line += countFeeds(piece);
    const start = line;
    line += countFeeds(wanted);
    return start;
  });
}

function countFeeds(text: string): number {
  return text.split('\n').length - 1;
}

const MAX_NEAR_MISSES = 3;

/**
 * Finds where the text occurs except for white space, or else where its first line occurs and what follows it
 * there.
 */
function findNearMisses(text: string, wanted: string): readonly string[] {
  const lines = splitLines(text).map((line) => line.trim());
  const parts = trimBlank(splitLines(wanted).map((line) => line.trim()));
  const [first] = parts;
  if (first === undefined) return [];

  const whole = findOccurrences(lines, parts, { max: MAX_NEAR_MISSES });
  if (whole.length > 0) {
    return whole.map((start) => `Line ${start + 1}: the same except for white space; copy it exactly`);
  }
  return findOccurrences(lines, [first], { max: MAX_NEAR_MISSES }).map((start) => {
    const offset = parts.findIndex((part, index) => lines[start + index] !== part);
    const found = lines[start + offset];
    const line = start + offset + 1;
    const there =
      found === undefined
        ? `the file ends before line ${line}`
        : `line ${line} is ${JSON.stringify(found)}, not ${JSON.stringify(parts[offset])}`;
    return `Line ${start + 1} matches, but ${there}`;
  });
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

/**
 * Finds the first `max` occurrences of a text in another, or of a list of lines in another; they may overlap.
 * Takes linear time (Knuth, Morris, Pratt): the built-in search is quadratic for texts a model can craft, and
 * would block the process.
 *
 * @param wanted Must not be empty.
 */
export function findOccurrences<Text extends string | readonly string[]>(
  text: Text,
  wanted: Text,
  { max = Number.POSITIVE_INFINITY, mayOverlap = true } = {},
): readonly number[] {
  const shorter = borders(wanted);
  const occurrences: number[] = [];
  let fits = 0;
  for (let at = 0; at < text.length && occurrences.length < max; at++) {
    while (fits > 0 && text[at] !== wanted[fits]) fits = shorter[fits - 1] ?? 0;
    if (text[at] === wanted[fits]) fits += 1;
    if (fits < wanted.length) continue;
    occurrences.push(at - fits + 1);
    fits = mayOverlap ? (shorter[fits - 1] ?? 0) : 0;
  }
  return occurrences;
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function borders(wanted: string | readonly string[]): Int32Array {
  const lengths = new Int32Array(wanted.length);
  let fits = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (fits > 0 && wanted[at] !== wanted[fits]) fits = lengths[fits - 1] ?? 0;
    if (wanted[at] === wanted[fits]) fits += 1;
    lengths[at] = fits;
  }
  return lengths;
}
