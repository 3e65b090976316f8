import { expect, test } from 'vitest';
import { line } from '../../terminal/line.ts';
import { createPainter } from './painter.ts';

function painted(size = { width: 20, rows: 3 }) {
  const bytes: string[] = [];
  const now = { ...size };
  const painter = createPainter(
    (text) => bytes.push(text),
    () => ({ colour: false, ascii: false, width: now.width }),
    () => now.rows,
  );
  return { bytes, now, painter };
}

test('a frame writes only changed rows, and an equal one nothing', () => {
  const { bytes, painter } = painted();
  painter.frame([line('one'), line('two')]);
  painter.frame([line('one'), line('2')]);
  painter.frame([line('one'), line('2')]);
  expect(bytes.slice(2)).toEqual(['\x1b[?2026h\x1b[2;1H\x1b[2K2\x1b[?2026l']);
});

test('a removed row is erased, and rows beyond the screen are left out', () => {
  const { bytes, painter } = painted();
  painter.frame(['1', '2', '3', '4'].map((text) => line(text)));
  expect(bytes.join('')).not.toContain('4;1H');
  painter.frame([line('1'), line('2')]);
  expect(bytes.at(-1)).toBe('\x1b[?2026h\x1b[3;1H\x1b[2K\x1b[?2026l');
});

test('after a resize everything is redrawn, and at the end the screen is restored once', () => {
  const { bytes, now, painter } = painted();
  painter.frame([line('one')]);
  now.width = 10;
  painter.frame([line('one')]);
  expect(bytes.at(-1)).toContain('\x1b[2J\x1b[1;1H\x1b[2Kone');
  painter.close();
  painter.close();
  painter.frame([line('late')]);
  expect(bytes.slice(3)).toEqual(['\x1b[?25h\x1b[?1049l']);
});
