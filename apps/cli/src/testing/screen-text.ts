import type { Line } from '../terminal/line.ts';
import type { RenderContext } from '../terminal/render-context.ts';
import { renderLine } from '../terminal/render.ts';

/** Half past noon, UTC, and 80 cells: the state of every capture. */
export const RENDER: RenderContext = { width: 80, now: Date.UTC(2026, 10, 21, 12, 4, 33), utcOffsetMs: 0 };

/** Lines as on a terminal without colour. */
export function screenText(lines: readonly Line[], width = 80): string {
  return lines.map((line) => renderLine(line, { colour: false, ascii: false, width })).join('\n');
}
