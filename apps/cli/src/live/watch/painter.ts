import type { Line } from '../../terminal/line.ts';
import { renderLine, type Rendering } from '../../terminal/render.ts';

/** Draws the whole screen, row by row. */
export type Painter = Readonly<{
  /** Writes the changed rows; equal frames write nothing. Rows beyond the screen are left out. */
  frame(lines: readonly Line[]): void;
  /** Restores the screen. Does nothing the second time. */
  close(): void;
}>;

const OPEN = '\x1b[?1049h\x1b[?25l\x1b[2J';
const CLOSE = '\x1b[?25h\x1b[?1049l';
const SYNC_ON = '\x1b[?2026h';
const SYNC_OFF = '\x1b[?2026l';
const CLEAR = '\x1b[2J';

/**
 * Uses the alternate screen. Every row is positioned and cut at the edge, so that nothing scrolls; a frame is one write
 * inside synchronised output (mode 2026; terminals without it ignore it).
 */
export function createPainter(
  draw: (bytes: string) => void,
  rendering: () => Rendering,
  rows: () => number,
): Painter {
  let shown: readonly string[] = [];
  let size = '';
  let closed = false;
  draw(OPEN);

  return {
    frame(lines) {
      if (closed) return;
      const now = rendering();
      const next = lines.slice(0, rows()).map((line) => renderLine(line, now));
      const newSize = `${now.width}x${rows()}`;
      const cleared = newSize !== size;
      if (cleared) shown = [];
      size = newSize;
      const changes = Array.from({ length: Math.max(next.length, shown.length) }, (_, row) =>
        (next[row] ?? '') === (shown[row] ?? '') ? '' : `\x1b[${row + 1};1H\x1b[2K${next[row] ?? ''}`,
      ).join('');
      shown = next;
      if (changes !== '' || cleared) draw(`${SYNC_ON}${cleared ? CLEAR : ''}${changes}${SYNC_OFF}`);
    },
    close() {
      if (!closed) draw(CLOSE);
      closed = true;
    },
  };
}
