import type { Key } from '../../screen/keyboard.ts';
import { createTestTerminal, type Ran } from '../../testing/test-context.ts';

/**
 * Runs `signalbox watch` at a terminal of 80 cells and 24 rows. `onScreen` sees what stands there after every
 * change, and presses keys.
 */
export function watchAt(
  workspace: string,
  onScreen: (screen: string, press: (key: string) => void) => void,
  ...flags: readonly string[]
): Promise<Ran> {
  const rows: string[] = [];
  let listener: (key: Key) => void = () => undefined;
  const terminal = createTestTerminal(workspace, {
    onAsked: (press) => {
      listener = press;
    },
    onDraw(bytes) {
      if (bytes.includes('\x1b[2J')) rows.length = 0;
      // oxlint-disable-next-line no-control-regex -- what a painter writes
      for (const [, row, text] of bytes.matchAll(/\x1b\[(\d+);1H\x1b\[2K([^\x1b]*)/g)) {
        rows[Number(row) - 1] = text ?? '';
      }
      onScreen(rows.join('\n'), (key) =>
        listener(key === 'enter' ? { kind: 'named', name: key } : { kind: 'text', text: key }),
      );
    },
  });
  return terminal.signalbox('watch', ...flags);
}
