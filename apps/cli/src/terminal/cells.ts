import { createRequire } from 'node:module';
import { as, type Line, line, type Piece, type TextRole } from './line.ts';
import { visible } from '@signalbox/core/visible-text';

/** How many cells of the terminal a text takes once escaped. */
export function cells(text: string): number {
  return cellsOfVisible(visible(text));
}

export function lineCells(parts: Line): number {
  return parts.reduce((sum, part) => sum + pieceCells(part), 0);
}

/** Cut to that many cells, with `…` at the end for the rest. */
export function cutEnd(text: string, width: number): string {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return shown;
  return width < 1 ? '' : `${headOf(shown, width - 1)}…`;
}

/** Cut to that many cells in the middle: the end of a path or a line often says most. */
export function cutMiddle(text: string, width: number): string {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return shown;
  if (width < 3) return cutEnd(shown, width);
  const tail = Math.floor((width - 1) / 2);
  return `${headOf(shown, width - 1 - tail)}…${tailOf(shown, tail)}`;
}

/** Cut to that many cells, with `…` at the start for the rest. */
export function cutStart(text: string, width: number): string {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return shown;
  return width < 1 ? '' : `…${tailOf(shown, width - 1)}`;
}

/** A text in a column of that many cells: cut if longer, padded if shorter. */
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

/** `left` and `right` at the two edges; the left side is cut if both don't fit. */
export function spread(left: Line, right: Line, { width }: Readonly<{ width: number }>): Line {
  if (width === Infinity) return line(left, '  ', right);
  const rightCells = lineCells(right);
  const fitting = fit(left, Math.max(0, width - rightCells - 1));
  return line(fitting, gap(Math.max(1, width - rightCells - lineCells(fitting))), right);
}

/** A text padded to that many cells; a longer one stays whole. */
export function padded(
  text: string,
  width: number,
  { role = 'text' }: Readonly<{ role?: TextRole }> = {},
): Line {
  return line(as(role, text), gap(width - cells(text)));
}

/** That many blanks, in pieces short enough not to count as a suspicious run. */
export function gap(width: number): Line {
  const pieces: Piece[] = [];
  for (let left = width; left > 0; left -= 8) pieces.push(as('text', ' '.repeat(Math.min(8, left))));
  return pieces;
}

/** The line in at most that many cells: the piece at the edge is cut, later ones are dropped. */
export function fit(parts: Line, width: number): Line {
  if (lineCells(parts) <= width) return parts;
  const fitting: Piece[] = [];
  let left = width;
  for (const part of parts) {
    const size = pieceCells(part);
    if (size >= left) {
      // Text that fills the row to its last cell still gives one up, to show that more follows.
      const text = part.printed === true ? cutOutput(part.text, left) : cutEnd(`${part.text}…`, left);
      fitting.push({ ...part, text });
      break;
    }
    fitting.push(part);
    left -= size;
  }
  return fitting;
}

/** The text in rows of at most that many cells, broken at blanks if there are any. */
export function wrap(text: string, width: number): readonly string[] {
  const shown = visible(text);
  if (cellsOfVisible(shown) <= width) return [shown];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  // Each letter is measured once: models can send texts of any length.
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

/** The first cells of a program's output, in its own colours, with `…` in the last one. */
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
 * A program's output, alternating: text, a colour or nothing, text … Tabs become blanks, and emoji are separated,
 * without joiners and variation selectors, since terminals differ in their width. A long run of blanks is several
 * texts: programs align with it, and output is never part of an approval.
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

/** For {@link outputParts}. */
export function isColour(index: number): boolean {
  return index % 2 === 1;
}

/** The only control sequence that output may send to the screen: select graphic rendition. */
// oxlint-disable-next-line no-control-regex -- the sequence begins with one
const COLOUR = /(\x1b\[[\d;:]*m)/;
const EMOJI_JOINERS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u200D|\uFE0F)+|(?<=[\d#*])\uFE0F/gu;

/** Latin letters, and the icons and borders of our own rows: one cell and one character each. */
const NARROW = /^[ -~¡-¬®-ʯ–—‘’“”…‹›ℹ←-↓↵−⊘⋯─-╿▁-█▶▸▾●○⚠✓✗❯]*$/;

/** Created on first use: each takes as long to load as the rest of a short subcommand. */
let segmenter: Intl.Segmenter | null = null;
let stringWidth: ((text: string) => number) | null = null;

/** Splits into user-perceived characters. */
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
