import { column, gap, wrap } from '../../terminal/cells.ts';
import { type Line, line } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';

const LABEL_WIDTH = 9;

/** A fact with its label: at most two rows, unless everything is shown. */
export function factRows(
  label: string,
  text: string,
  { render, full }: Readonly<{ render: RenderContext; full: boolean }>,
): readonly Line[] {
  const rows = text.split('\n').flatMap((part) => wrap(part, Math.max(10, render.width - LABEL_WIDTH - 4)));
  const shown = full || rows.length <= 2 ? rows : [rows[0] ?? '', `${rows[1] ?? ''} … (v shows all)`];
  return shown.map((row, i) =>
    line('   ', i === 0 ? column(label, LABEL_WIDTH, { role: 'muted' }) : gap(LABEL_WIDTH), row),
  );
}
