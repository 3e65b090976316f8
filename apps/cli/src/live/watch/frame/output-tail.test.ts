import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_OUTPUT, type OutputTail, withOutput } from './output-tail.ts';

const texts = ({ rows }: OutputTail): readonly string[] => rows.map(({ text }) => text);

test('rows are assembled however the output is split', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-c\n]{0,9}$/), { maxLength: 20 }), (parts) => {
      const tail = parts.reduce((before, part) => withOutput(before, 'stdout', { text: part }), NO_OUTPUT);
      const whole = withOutput(NO_OUTPUT, 'stdout', { text: parts.join('') });
      expect(texts(tail)).toEqual(texts(whole));
    }),
  );
});

test('the last 200 rows are kept, and earlier ones counted', () => {
  const tail = withOutput(NO_OUTPUT, 'stdout', {
    text: Array.from({ length: 250 }, (_, i) => `${i}\n`).join(''),
  });
  expect([tail.rows.length, tail.rows[0]?.text, tail.skipped]).toEqual([200, '50', 50]);
});

test('a progress bar shows its last state', () => {
  expect(texts(withOutput(NO_OUTPUT, 'stderr', { text: '1 %\r50 %\r100 %\n' }))).toEqual(['100 %']);
});
