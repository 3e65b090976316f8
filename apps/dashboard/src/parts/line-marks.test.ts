import type { Level, Reason } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutLine, markLine } from './line-marks.ts';

function reason(level: Level, { start, end }: Readonly<{ start?: number; end?: number }> = {}): Reason {
  const span = start === undefined || end === undefined ? {} : { span: { start, end } };
  return { level, code: 'a-rule', text: 'why', ...span };
}

test('each judged word is marked with its level and the number of its reason', () => {
  const line = 'npm publish --tag next';
  expect(
    markLine(line, [
      reason('dangerous', { start: 4, end: 11 }),
      reason('warning', { start: 12, end: 22 }),
      reason('warning'),
    ]),
  ).toEqual({
    parts: [
      { text: 'npm ', level: null, numbers: [] },
      { text: 'publish', level: 'dangerous', numbers: [1] },
      { text: ' ', level: null, numbers: [] },
      { text: '--tag next', level: 'warning', numbers: [2] },
    ],
    implied: [3],
  });
});

test('if two reasons mark the same words, the stricter one underlines them', () => {
  const { parts } = markLine('rm -rf dist', [
    reason('warning', { start: 0, end: 11 }),
    reason('dangerous', { start: 3, end: 6 }),
  ]);
  expect(parts).toEqual([
    { text: 'rm ', level: 'warning', numbers: [] },
    { text: '-rf', level: 'dangerous', numbers: [2] },
    { text: ' dist', level: 'warning', numbers: [1] },
  ]);
});

test('a span of another line marks nothing, and its reason is still numbered', () => {
  expect(markLine('ls', [reason('dangerous', { start: 1, end: 40 })])).toEqual({
    parts: [{ text: 'ls', level: null, numbers: [] }],
    implied: [1],
  });
});

test('for any spans, the parts together are the line, and every reason has its number once', () => {
  const level = fc.constantFrom<Level>('warning', 'dangerous', 'blocked');
  const any = fc.tuple(level, fc.nat(30), fc.nat(30)).map(([of, a, b]) => reason(of, { start: a, end: b }));
  fc.assert(
    fc.property(fc.string({ maxLength: 25 }), fc.array(any, { maxLength: 6 }), (line, reasons) => {
      const { parts, implied } = markLine(line, reasons);
      expect(parts.map(({ text }) => text).join('')).toBe(line);
      const numbers = [...parts.flatMap((part) => part.numbers), ...implied];
      expect(numbers.toSorted((a, b) => a - b)).toEqual(reasons.map((_, at) => at + 1));
    }),
  );
});

test('the head and tail of a long line are kept, with their marks, and nothing in between is lost', () => {
  const line = `echo ${'x'.repeat(100)}; npm publish`;
  const { parts } = markLine(line, [
    reason('warning', { start: 0, end: 105 }),
    reason('dangerous', { start: 107, end: 118 }),
  ]);
  expect(cutLine(parts, { head: 10, tail: 15 })).toEqual({
    head: [{ text: 'echo xxxxx', level: 'warning', numbers: [] }],
    between: [{ text: 'x'.repeat(93), level: 'warning', numbers: [] }],
    tail: [
      { text: 'xx', level: 'warning', numbers: [1] },
      { text: '; ', level: null, numbers: [] },
      { text: 'npm publish', level: 'dangerous', numbers: [2] },
    ],
  });
  expect(cutLine(parts, { head: 200, tail: 200 })).toEqual({ head: parts, between: [], tail: [] });
});
