import { column, fit, gap, lineCells, spread } from '../../../terminal/cells.ts';
import { as, BLANK, type Line, line, muted, type Piece } from '../../../terminal/line.ts';
import type { RenderContext } from '../../../terminal/render-context.ts';

/** `── Waiting 2 ───────────── longest 0:03.1 ──`; a plain note is muted. */
export function paneRule(title: string, note: string | Piece, { width }: Readonly<{ width: number }>): Line {
  const head = line(muted('── '), as('bold', title), ' ');
  const reported = typeof note === 'string' ? muted(note) : note;
  const tail = reported.text === '' ? line(muted('──')) : line(' ', reported, muted(' ──'));
  const dashes = Math.max(0, width - lineCells(head) - lineCells(tail));
  return fit(line(head, muted('─'.repeat(dashes)), tail), width);
}

/** Two columns with a border between them, in that many rows. */
export function sideBySide(
  left: readonly Line[],
  right: readonly Line[],
  size: Readonly<{ left: number; right: number; rows: number }>,
): readonly Line[] {
  return Array.from({ length: size.rows }, (_, row) =>
    line(filled(left[row] ?? BLANK, size.left), muted('│'), fit(right[row] ?? BLANK, size.right)),
  );
}

/** Columns of equal width with borders between them, in that many rows. */
export function columnsSideBySide(
  columns: readonly (readonly Line[])[],
  size: Readonly<{ width: number; rows: number }>,
): readonly Line[] {
  return Array.from({ length: size.rows }, (_, row) =>
    columns.flatMap((rows, i) => line(i === 0 ? [] : muted('│'), filled(rows[row] ?? BLANK, size.width))),
  );
}

function filled(row: Line, width: number): Line {
  const fitting = fit(row, width);
  return line(fitting, gap(width - lineCells(fitting)));
}

/** Exactly that many rows: padded with blank ones, or cut with a count of the rest. */
export function exactly(rows: readonly Line[], height: number): readonly Line[] {
  return Array.from({ length: Math.max(0, height) }, (_, row) => rows[row] ?? BLANK);
}

/** The rows from `scroll` on that fit, the actual offset, and the largest one. */
export function scrolledRows(
  rows: readonly Line[],
  { scroll, height }: Readonly<{ scroll: number; height: number }>,
): Readonly<{
  rows: readonly Line[];
  position: string;
  scrollRange: Readonly<{ page: number; max: number }>;
}> {
  const max = Math.max(0, rows.length - height);
  const start = Math.min(scroll, max);
  const position = max === 0 ? '' : `${start + 1}-${start + height} of ${rows.length}`;
  const scrollRange = { page: Math.max(1, height - 1), max };
  return { rows: exactly(rows.slice(start, start + height), height), position, scrollRange };
}

/** A pane over the lanes, and how far it scrolls. */
export function coverPane(
  { title, rows }: Readonly<{ title: string; rows: readonly Line[] }>,
  { scroll, height }: Readonly<{ scroll: number; height: number }>,
  render: RenderContext,
): Readonly<{ rows: readonly Line[]; scrollRange: Readonly<{ page: number; max: number }> }> {
  const { rows: shown, position, scrollRange } = scrolledRows(rows, { scroll, height: height - 1 });
  const note = position === '' ? 'Esc closes' : `${position} · Esc closes`;
  return { rows: [paneRule(title, note, { width: render.width }), ...shown], scrollRange };
}

/** Reverses matches of the search. Coloured output of programs stays as it is. */
export function highlighted(row: Line, search: string): Line {
  if (search === '') return row;
  return row.flatMap((piece) => highlightedPiece(piece, search));
}

function highlightedPiece(piece: Piece, search: string): readonly Piece[] {
  const at = piece.text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0 || piece.text.includes('\x1b')) return [piece];
  const end = at + search.length;
  const rest = highlightedPiece({ ...piece, text: piece.text.slice(end) }, search);
  return [
    { ...piece, text: piece.text.slice(0, at) },
    { ...piece, text: piece.text.slice(at, end), role: 'badge' },
    ...rest,
  ];
}

export function dimmed(row: Line): Line {
  return row.map((piece) => ({ ...piece, role: 'muted' }));
}

/** A number, right-aligned, in that many cells. */
export function rightAligned(text: string, width: number): Line {
  return column(text, width, { align: 'right', role: 'muted' });
}

export function atEdges(left: Line, end: Line, { width }: Readonly<{ width: number }>): Line {
  return fit(spread(left, end, { width }), width);
}
