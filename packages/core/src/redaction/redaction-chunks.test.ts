import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECRETS } from '../testing/secret-shapes.ts';
import { createRedactor } from './redactor.ts';

const literal = 'Zq7-literal-"secret"-9';
const open = () => createRedactor({ secrets: [literal] });
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.values(SECRETS).flat(), literal) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\n',
      '\r\n',
      ' ',
      '"',
      '=',
      'sk-',
      'eyJ',
      '-----BEGIN ',
      '-----END PRIVATE KEY-----',
      `\n${'aB3/'.repeat(16)}\n`,
      '\u001B[1m',
      '\u001B]',
      '\u200B',
      '😀',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(3000), 'a1-'.repeat(800), 'PASSWORD='.repeat(300)) },
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('a stream shows the same however the text is chunked (property)', () => {
  const redactor = open();
  fc.assert(
    fc.property(
      text,
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 }),
      (whole, cuts) => {
        const stream = redactor.stream();
        let shown = '';
        let at = 0;
        for (let i = 0; at < whole.length; i++) {
          const size = cuts[i % cuts.length] ?? 1;
          shown += stream.push(whole.slice(at, at + size));
          at += size;
        }
        expect(shown + stream.end()).toBe(redactor.redact(whole));
      },
    ),
    { numRuns: 400 },
  );
});

test('a known secret is never shown (property)', () => {
  const redactor = open();
  fc.assert(fc.property(text, (whole) => !redactor.redact(whole).includes(literal)));
});
