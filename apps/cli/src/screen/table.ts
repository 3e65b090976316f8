import { cells, column, gap } from './cells.ts';
import { as, type Line, line, muted, type Piece } from './line.ts';
import type { Look } from './look.ts';

export type Column = Readonly<{
  title: string;
  align?: 'left' | 'right';
  /** The one that gives way where the row is too wide, and how it is cut. */
  gives?: 'end' | 'middle';
}>;

type Cell = string | Piece;

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
  const total = natural.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1);
  const over = Math.max(0, total - look.width);
  const widths = natural.map((width, i) =>
    columns[i]?.gives === undefined ? width : Math.max(NARROWEST, width - over),
  );
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

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
