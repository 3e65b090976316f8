import { cells, column, gap } from './cells.ts';
import { as, type Line, line, muted, type Piece } from './line.ts';
import type { Look } from './look.ts';

export type Column = Readonly<{
  title: string;
  align?: 'left' | 'right';
  /** It gives way where the row is too wide, and is cut so. */
  gives?: 'end' | 'middle';
}>;

export type Cell = string | Piece;

const GAP = 2;
const NARROWEST = 8;

/** Rows under titles, as wide as what stands in them; a row that is too wide is cut in the column that gives way. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  look: Pick<Look, 'width'>,
): readonly Line[] {
  const natural = columns.map(({ title }, i) =>
    Math.max(cells(title), ...rows.map((row) => cells(textOf(row[i] ?? '')))),
  );
  const widths = narrowed(natural, columns, look.width - GAP * (columns.length - 1));
  const row = (values: readonly Piece[]): Line =>
    values.flatMap((value, i) => {
      const { align = 'left', gives = 'end' } = columns[i] ?? {};
      const cell = column(value.text, widths[i] ?? 0, { role: value.role, align, cut: gives });
      return i === 0 ? cell : line(gap(GAP), cell);
    });
  return [
    row(columns.map(({ title }) => muted(title))),
    ...rows.map((values) =>
      row(values.map((value) => (typeof value === 'string' ? as('text', value) : value))),
    ),
  ];
}

/** Takes cell by cell from the widest of those that give way, until the row fits or they are at their narrowest. */
function narrowed(natural: readonly number[], columns: readonly Column[], room: number): readonly number[] {
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
