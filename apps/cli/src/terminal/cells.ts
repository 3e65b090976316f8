import { createRequire } from 'node:module';
import { as, type Line, line, type Piece, type TextRole } from './line.ts';
import { visible } from '@signalbox/core/visible-text';

/** How many cells of the terminal a text takes, written out as it will be. */
export function cells(text: string): number {
  return cellsOfVisible(visible(text));
}

export function lineCells(parts: Line): number {
  return parts.reduce((sum, part) => sum + pieceCells(part), 0);
}

/** Cut to so many cells, with `…` for what is left out at the end. */
export function cutEnd(text: string, width: number): string {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return shown;
  return width < 1 ? '' : `${headOf(shown, width - 1)}…`;
}

/** Cut to so many cells in the middle: the end of a path or a line often says most. */
export function cutMiddle(text: string, width: number): string {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return shown;
  if (width < 3) return cutEnd(shown, width);
  const tail = Math.floor((width - 1) / 2);
  return `${headOf(shown, width - 1 - tail)}…${tailOf(shown, tail)}`;
}

/** Cut to so many cells, with `…` for what is left out at the start. */
export function cutStart(text: string, width: number): string {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return shown;
  return width < 1 ? '' : `…${tailOf(shown, width - 1)}`;
}

/** A text in a column of so many cells: cut where it is longer, filled with blanks where it is shorter. */
export function column(
  text: string,
  width: number,
  options: { role?: TextRole; align?: 'left' | 'right'; cut?: 'end' | 'middle' } = {},
): Line {
  const { role = 'text', align = 'left', cut = 'end' } = options;
  if (width === Infinity) return [as(role, text)];
  const piece = as(role, cut === 'end' ? cutEnd(text, width) : cutMiddle(text, width));
  const blanks = gap(width - pieceCells(piece));
  return align === 'left' ? line(piece, blanks) : line(blanks, piece);
}

/** `left` and `right` at the two edges; the left side is cut where both don't fit. */
export function spread(left: Line, right: Line, width: number): Line {
  if (width === Infinity) return line(left, '  ', right);
  const rightCells = lineCells(right);
  const fitting = fit(left, Math.max(0, width - rightCells - 1));
  return line(fitting, gap(Math.max(1, width - rightCells - lineCells(fitting))), right);
}

/** A text filled with blanks to so many cells; a longer one is left whole. */
export function padded(text: string, width: number, role: TextRole = 'text'): Line {
  return line(as(role, text), gap(width - cells(text)));
}

/** So many blanks; in pieces so short that they are not taken for a suspicious run. */
export function gap(width: number): Line {
  const pieces: Piece[] = [];
  for (let left = width; left > 0; left -= 8) pieces.push(as('text', ' '.repeat(Math.min(8, left))));
  return pieces;
}

/** The line in at most so many cells: the piece that passes the edge is cut, later ones are dropped. */
export function fit(parts: Line, width: number): Line {
  if (lineCells(parts) <= width) return parts;
  const fitting: Piece[] = [];
  let left = width;
  for (const part of parts) {
    const size = pieceCells(part);
    if (size >= left) {
      // What fills the row to its last cell still gives one up, to show that more follows.
      const text = part.printed === true ? cutOutput(part.text, left) : cutEnd(`${part.text}…`, left);
      fitting.push({ ...part, text });
      break;
    }
    fitting.push(part);
    left -= size;
  }
  return fitting;
}

/** The text in rows of at most so many cells, broken at blanks where there are any. */
export function wrap(text: string, width: number): readonly string[] {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return [shown];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  // Each letter is measured once: a text may be as long as a model makes it.
  for (const segment of graphemes(shown)) {
    const size = cellsOfVisible(segment);
    const isFull = row !== '' && used + size > width;
    if (isFull) {
      const blank = segment === ' ' ? row.length : row.lastIndexOf(' ');
      rows.push(row.slice(0, blank > 0 ? blank : row.length));
      row = blank > 0 ? row.slice(blank + 1) : '';
      used = cellsOfVisible(row);
      if (segment === ' ') continue;
    }
    row += segment;
    used += size;
  }
  return [...rows, row];
}

/** The first cells of what a program printed, in its own colours, and `…` in the last of them. */
function cutOutput(text: string, width: number): string {
  if (width < 1) return '';
  let head = '';
  let left = width - 1;
  for (const [i, part] of outputParts(text).entries()) {
    const shown = isColour(i) ? part : visible(part);
    const size = isColour(i) ? 0 : cellsOfVisible(shown);
    if (size > left) return `${head}${headOf(shown, left)}…`;
    head += shown;
    left -= size;
  }
  return `${head}…`;
}

/**
 * What a program printed, in turns: text, a colour or nothing, text … Blanks stand for tabs, and emoji one by one, without
 * what would join or colour them, since terminals differ in how many cells these take. A long run of blanks is several
 * texts: programs align with it, and nobody is asked for a yes by what they print.
 */
export function outputParts(text: string): readonly string[] {
  return text
    .split(COLOUR)
    .flatMap((part, i) =>
      isColour(i) ? [part] : inShortRuns(part.replaceAll('\t', '  ').replaceAll(EMOJI_JOINERS, '')),
    );
}

function inShortRuns(text: string): readonly string[] {
  if (!text.includes(' '.repeat(9))) return [text];
  return (text.match(/[^ ]+| {1,8}/g) ?? []).flatMap((part, i) => (i === 0 ? [part] : ['', part]));
}

/** Of {@link outputParts}. */
export function isColour(index: number): boolean {
  return index % 2 === 1;
}

/** The only control sequence that output may bring to the screen: select graphic rendition. */
// oxlint-disable-next-line no-control-regex -- the sequence begins with one
const COLOUR = /(\x1b\[[\d;:]*m)/;
const EMOJI_JOINERS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u200D|\uFE0F)+|(?<=[\d#*])\uFE0F/gu;

/** Latin letters, and the signs that our own rows are made of: one cell each, and one character for a person. */
const NARROW = /^[ -~¡-¬®-ʯ–—‘’“”…‹›ℹ←-↓↵−⊘⋯─-╿▁-█▶▸▾●○⚠✓✗❯]*$/;

/** Made and loaded for the first text that needs them: each takes as long as the rest of a short subcommand. */
let segmenter: Intl.Segmenter | null = null;
let stringWidth: ((text: string) => number) | null = null;

/** What a person takes for one character each. */
export function* graphemes(text: string): Generator<string, void, undefined> {
  if (NARROW.test(text)) {
    yield* text;
    return;
  }
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function pieceCells({ text, printed = false }: Piece): number {
  if (!printed) return cells(text);
  return outputParts(text).reduce((sum, part, i) => sum + (isColour(i) ? 0 : cells(part)), 0);
}

function measured(shown: string): number {
  const load = createRequire(import.meta.url);
  stringWidth ??= (load('string-width') as { default: (text: string) => number }).default;
  return stringWidth(shown);
}

function cellsOfVisible(shown: string): number {
  return NARROW.test(shown) ? shown.length : measured(shown);
}

function headOf(shown: string, width: number): string {
  let head = '';
  let used = 0;
  for (const segment of graphemes(shown)) {
    used += cellsOfVisible(segment);
    if (used > width) break;
    head += segment;
  }
  return head;
}

function tailOf(shown: string, width: number): string {
  const letters = [...graphemes(shown)];
  let used = 0;
  let from = letters.length;
  while (from > 0) {
    used += cellsOfVisible(letters[from - 1] ?? '');
    if (used > width) break;
    from -= 1;
  }
  return letters.slice(from).join('');
}
