import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutMiddle } from './cut-middle.ts';

test('cutMiddle() leaves a text that fits unchanged', () => {
  expect(cutMiddle('a\nb\n', { maxLength: 4, maxLines: 2, headShare: 0.5 })).toBeNull();
});

test('cutMiddle() cuts between lines and counts what it leaves out', () => {
  const text = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('');
  expect(cutMiddle(text, { maxLength: 50, maxLines: 100, headShare: 0.6 })).toEqual({
    head: 'line 0\nline 1\nline 2\nline 3\n',
    tail: 'line 98\nline 99\n',
    leftOut: { lines: 94, characters: 94 * 8 - 6 },
  });
});

test('cutMiddle() cuts a long line between two characters', () => {
  const cut = cutMiddle('😀'.repeat(100), { maxLength: 25, maxLines: 2, headShare: 0.5 });
  expect(cut).toEqual({ head: '😀'.repeat(6), tail: '😀'.repeat(6), leftOut: { lines: 1, characters: 176 } });
});

test('cutMiddle() cuts many short lines by their number', () => {
  const cut = (text: string) => cutMiddle(text, { maxLength: 100, maxLines: 4, headShare: 0.5 });
  expect(cut('1\n2\n3\n4\n5\n6\n')).toEqual({
    head: '1\n2\n',
    tail: '5\n6\n',
    leftOut: { lines: 2, characters: 4 },
  });
  expect(cut('1\n2\n3\n4\n5')).toMatchObject({ head: '1\n2\n', tail: '4\n5' });
  expect(cut('\n\n\n\n\n')).toMatchObject({ head: '\n\n', tail: '\n\n' });
});

test('the head and the tail of any text fit, are well-formed, and leave out exactly what is between them', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\n', '😀'), maxLength: 200 });
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 4, max: 100 }),
      fc.integer({ min: 2, max: 20 }),
      (text, maxLength, maxLines) => {
        const cut = cutMiddle(text, { maxLength, maxLines, headShare: 0.4 });
        const lines = text.split(/(?<=\n)/);
        expect(cut === null).toBe(text.length <= maxLength && (text === '' || lines.length <= maxLines));
        const whole = { head: text, tail: '', leftOut: { characters: 0 } };
        const { head, tail, leftOut } = cut ?? whole;
        expect(head.length + tail.length).toBeLessThanOrEqual(maxLength);
        expect(`${head}${tail}`.split('\n').length).toBeLessThanOrEqual(maxLines + 1);
        expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(leftOut.characters).toBe(text.length - head.length - tail.length);
      },
    ),
  );
});
