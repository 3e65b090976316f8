import { cells, cutStart, fit } from '../terminal/cells.ts';
import type { EditedText } from '../terminal/edit-text.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import type { RenderContext } from '../terminal/render-context.ts';

/** The end of the text stays visible; the cursor is a block. */
export function typedRow(label: string, text: EditedText, render: RenderContext): Line {
  const before = text.characters.slice(0, text.cursor).join('');
  const under = text.characters[text.cursor] ?? ' ';
  const after = text.characters.slice(text.cursor + 1).join('');
  const room = Math.max(8, render.width - cells(label) - 2);
  const start = cells(before) > room - 8 ? cutStart(before, Math.max(4, room - 8)) : before;
  return fit(line(muted(label), as('bold', start), as('badge', under), as('bold', after)), render.width);
}
