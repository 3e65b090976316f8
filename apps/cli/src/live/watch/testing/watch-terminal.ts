import type { Key } from '../../../terminal/keyboard.ts';
import { createTestTerminal, type TestRun } from '../../../testing/test-context.ts';

/**
 * Runs `signalbox watch` on a terminal of 80 cells and 24 rows. `onScreen` sees the screen after every change, and
 * presses keys.
 */
export function watchAt(
  workspace: string,
  onScreen: OnScreen,
  ...flags: readonly string[]
): Promise<TestRun> {
  return watchTyping(workspace, { onScreen, typed: () => null }, ...flags);
}

type OnScreen = (
  screen: string,
  press: (key: string) => void,
  /** The terminal reports its cursor position. */
  cursorAt: (column: number) => void,
) => void;

/** The same with typed lines: `typed` answers prompts on the normal screen. */
export function watchTyping(
  workspace: string,
  { onScreen, typed }: Readonly<{ onScreen: OnScreen; typed: (question: string) => string | null }>,
  ...flags: readonly string[]
): Promise<TestRun> {
  const rows: string[] = [];
  let listener: (key: Key) => void = () => undefined;
  let onCursor: (column: number) => void = () => undefined;
  const terminal = createTestTerminal(workspace, {
    typed,
    onAsked: (press, cursorAt) => {
      listener = press;
      onCursor = cursorAt;
    },
    onDraw(bytes) {
      if (bytes.includes('\x1b[2J')) rows.length = 0;
      // oxlint-disable-next-line no-control-regex -- what a painter writes
      for (const [, row, text] of bytes.matchAll(/\x1b\[(\d+);1H\x1b\[2K([^\x1b]*)/g)) {
        rows[Number(row) - 1] = text ?? '';
      }
      const press = (key: string): void =>
        listener(
          key === 'enter' || key === 'escape' ? { kind: 'named', name: key } : { kind: 'text', text: key },
        );
      onScreen(rows.join('\n'), press, onCursor);
    },
  });
  return terminal.signalbox('watch', ...flags);
}
