import type { Line } from '../../terminal/line.ts';
import { renderLine, type Rendering } from '../../terminal/render.ts';

/** The whole screen, row by row. */
export type Painter = Readonly<{
  /** Writes the rows that changed; equal frames write nothing. More rows than the screen has are left out. */
  frame(lines: readonly Line[]): void;
  /** Gives the screen back as it was. Does nothing the second time. */
  close(): void;
}>;

const OPEN = '\x1b[?1049h\x1b[?25l\x1b[2J';
const CLOSE = '\x1b[?25h\x1b[?1049l';
const SYNC_ON = '\x1b[?2026h';
const SYNC_OFF = '\x1b[?2026l';
const CLEAR = '\x1b[2J';

/**
 * Takes the alternate screen. Every row is put at its place and cut at the edge, so that nothing ever scrolls;
 * a frame is one write inside synchronised output (mode 2026; terminals without it ignore it).
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
