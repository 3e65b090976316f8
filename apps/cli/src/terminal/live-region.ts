import { fit, lineCells } from './cells.ts';
import type { Line } from './line.ts';
import { renderLine, type Rendering } from './render.ts';

/** A few rows at the bottom that are redrawn, with scrollback lines printed above them. */
export type LiveRegion = Readonly<{
  /** Prints permanent lines above the region. */
  above(lines: readonly Line[]): void;
  /** Replaces the region; equal frames write nothing. */
  frame(lines: readonly Line[]): void;
  /** Removes the region and shows the cursor again; lines above stay. */
  clear(): void;
}>;

const SYNC_ON = '\x1b[?2026h';
const SYNC_OFF = '\x1b[?2026l';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const ERASE_BELOW = '\x1b[J';

type Row = Readonly<{ text: string; cells: number }>;

/**
 * Redraws by moving up over its own rows, as one write inside synchronised output (mode 2026; terminals without it
 * ignore it). Rows are cut one cell before the edge, so that none wraps; if the window has become narrower since, the
 * rows that the terminal wrapped are counted.
 */
export function createLiveRegion(draw: (bytes: string) => void, rendering: () => Rendering): LiveRegion {
  let shown: readonly Row[] = [];

  /** Moves to the first cell of the region and erases everything below. */
  function back(): string {
    if (shown.length === 0) return '';
    const { width } = rendering();
    const rows = shown.reduce((sum, { cells }) => sum + Math.max(1, Math.ceil(cells / width)), 0);
    return `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}${ERASE_BELOW}`;
  }

  const text = (rows: readonly Row[]): string => rows.map((row) => row.text).join('\r\n');

  return {
    above(lines) {
      if (lines.length === 0) return;
      const printed = lines.map((line) => renderLine(line, { ...rendering(), width: Infinity }));
      draw(`${SYNC_ON}${back()}${printed.join('\r\n')}\r\n${text(shown)}${SYNC_OFF}`);
    },
    frame(lines) {
      const width = rendering().width - 1;
      const next = lines.map((line) => ({
        text: renderLine(line, { ...rendering(), width }),
        cells: lineCells(fit(line, width)),
      }));
      if (text(next) === text(shown)) return;
      draw(`${SYNC_ON}${HIDE_CURSOR}${back()}${text(next)}${SYNC_OFF}`);
      shown = next;
    },
    clear() {
      draw(`${back()}${SHOW_CURSOR}`);
      shown = [];
    },
  };
}
