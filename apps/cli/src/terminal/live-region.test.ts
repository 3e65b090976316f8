import { expect, test } from 'vitest';
import { line } from './line.ts';
import { createLiveRegion } from './live-region.ts';

/** A small terminal: rows of cells, a cursor, and the few sequences that the region uses. */
function terminal(width: number) {
  let rows = [''];
  let row = 0;
  const feed = (bytes: string): void => {
    // oxlint-disable-next-line no-control-regex -- a terminal reads control sequences
    for (const part of bytes.match(/\x1b\[[\d;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+/g) ?? []) {
      if (part === '\n') {
        row += 1;
        rows[row] ??= '';
      } else if (part.endsWith('A') && part.startsWith('\x1b')) row -= Number(/\d+/.exec(part)?.[0]);
      else if (part === '\x1b[J') rows = [...rows.slice(0, row), ''];
      else if (!part.startsWith('\x1b') && part !== '\r') {
        const text = (rows[row] ?? '') + part;
        if (text.length > width) throw new Error(`too wide: ${text}`);
        rows[row] = text;
      }
    }
  };
  return { feed, text: () => rows.join('\n') };
}

test('scrollback lines stay above, and the region is redrawn in place', () => {
  const screen = terminal(20);
  const region = createLiveRegion(screen.feed, () => ({ colour: false, ascii: false, width: 20 }));
  region.frame([line('one'), line('two')]);
  region.above([line('first')]);
  region.frame([line('one, changed'), line('two'), line('three')]);
  region.above([line('second')]);
  expect(screen.text()).toBe('first\nsecond\none, changed\ntwo\nthree');
  region.frame([line('x')]);
  expect(screen.text()).toBe('first\nsecond\nx');
  region.clear();
  expect(screen.text()).toBe('first\nsecond\n');
});

test('an equal frame writes nothing, and a row never reaches the edge', () => {
  const written: string[] = [];
  const region = createLiveRegion(
    (bytes) => written.push(bytes),
    () => ({ colour: false, ascii: false, width: 10 }),
  );
  region.frame([line('0123456789abc')]);
  expect(written.join('')).toContain('01234567…');
  region.frame([line('0123456789abc')]);
  expect(written).toHaveLength(1);
});

test('when the window gets narrower the rows that the terminal wrapped are removed too', () => {
  const written: string[] = [];
  let width = 40;
  const region = createLiveRegion(
    (bytes) => written.push(bytes),
    () => ({ colour: false, ascii: false, width }),
  );
  region.frame([line('a'.repeat(30)), line('b')]);
  width = 12;
  region.frame([line('c')]);
  // 30 cells in rows of 12 are 3 rows, and one for the second line: 3 rows up.
  expect(written.at(-1)).toContain('\r\x1b[3A\x1b[J');
});
