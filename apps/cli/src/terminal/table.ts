import { cells, column, gap, wrap } from './cells.ts';
import { as, type Line, line, muted, type Piece } from './line.ts';
import type { RenderContext } from './render-context.ts';

export type Column = Readonly<{
  title: string;
  align?: 'left' | 'right';
  /** How it shrinks if the row is too wide: it is cut, or continues in further rows. */
  gives?: 'end' | 'middle' | 'rows';
  /** Dropped if a row would be too wide, before any column is cut. */
  isSpare?: true;
}>;

export type Cell = string | Piece;

const GAP = 2;
const NARROWEST = 8;

/** Rows below titles, as wide as their content; a row that is too wide is cut in the shrinking column. */
export function tableLines(
  allColumns: readonly Column[],
  allRows: readonly (readonly Cell[])[],
  render: Pick<RenderContext, 'width'>,
): readonly Line[] {
  const kept = keptColumns(allColumns, allRows, { width: render.width });
  const columns = kept.flatMap((i) => allColumns[i] ?? []);
  const rows = allRows.map((cellsOfRow) => kept.map((i) => cellsOfRow[i] ?? ''));
  const natural = columns.map((_, i) => naturalWidth(columns, rows, { i }));
  const widths = narrowed(natural, columns, { room: render.width - GAP * (columns.length - 1) });
  const row = (values: readonly Piece[]): Line =>
    values.flatMap((value, i) => {
      const { align = 'left', gives } = columns[i] ?? {};
      const cut = gives === 'middle' ? gives : 'end';
      const cell = column(value.text, widths[i] ?? 0, { role: value.role, align, cut });
      return i === 0 ? cell : line(gap(GAP), cell);
    });
  const wrapped = (values: readonly Piece[]): readonly Line[] => {
    const texts = values.map(({ text }, i) =>
      columns[i]?.gives === 'rows' ? wrap(text, widths[i] ?? 0) : [text],
    );
    const height = Math.max(...texts.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      row(values.map((value, i) => ({ ...value, text: texts[i]?.[at] ?? '' }))),
    );
  };
  return [
    row(columns.map(({ title }) => muted(title))),
    ...rows.flatMap((values) =>
      wrapped(values.map((value) => (typeof value === 'string' ? as('text', value) : value))),
    ),
  ];
}

/** All if they fit, else without spare ones, the last of them first. */
function keptColumns(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { width }: Readonly<{ width: number }>,
): readonly number[] {
  let kept = columns.map((_, i) => i);
  const spare = kept.filter((i) => columns[i]?.isSpare === true);
  const needed = (): number =>
    kept.reduce((sum, i) => sum + naturalWidth(columns, rows, { i }), GAP * (kept.length - 1));
  while (needed() > width && spare.length > 0) {
    const left = spare.pop();
    kept = kept.filter((i) => i !== left);
  }
  return kept;
}

function naturalWidth(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { i }: Readonly<{ i: number }>,
): number {
  return Math.max(cells(columns[i]?.title ?? ''), ...rows.map((row) => cells(textOf(row[i] ?? ''))));
}

/** Takes cells one by one from the widest shrinking column, until the row fits or all are at their minimum. */
function narrowed(
  natural: readonly number[],
  columns: readonly Column[],
  { room }: Readonly<{ room: number }>,
): readonly number[] {
  const widths = [...natural];
  const giving = columns.flatMap(({ gives }, i) => (gives === undefined ? [] : [i]));
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    const widest = giving.reduce(
      (best, i) => ((widths[i] ?? 0) > (widths[best] ?? 0) ? i : best),
      giving[0] ?? -1,
    );
    const width = widths[widest] ?? 0;
    if (width <= NARROWEST) break;
    widths[widest] = width - 1;
    over -= 1;
  }
  return widths;
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
