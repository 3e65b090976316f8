import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanJson, cleanText } from './clean-text.ts';

test.for([
  ['\u001B[31mred\u001B[0m', 'red'],
  ['\u001B]0;title\u0007text', 'text'],
  ['a\u202Eb\u2066c\u200Bd\uFEFFe', 'abcde'],
  ['bell\u0007 null\u0000 c1\u009B2Jx', 'bell null c1x'],
  ['seen\u{E0041}\u{E0042}', 'seen'],
  ['one\r\ntwo\rthree\tfour', 'one\ntwo\nthree\tfour'],
  ['a\u061Cb\u00ADc\u034Fd\u180Ee\u2028f\u2800g\u3164h\uFE0Fi\u{E0100}j', 'abcdefghij'],
  ['日本語 👩‍💻 é', '日本語 👩‍💻 é'],
] as const)('cleanText(%j) is %j', ([text, clean]) => expect(cleanText(text, 100)).toBe(clean));

test('long text is cut and marked', () => {
  expect(cleanText('abcdef', 3)).toBe('abc… [cut]');
  expect(cleanText('\u0000'.repeat(10) + 'a', 3)).toBe('… [cut]');
});

test('no text keeps a control character', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      '\u001B',
      '[',
      ']',
      '3',
      'm',
      '\u0007',
      '\u009B',
      '\u202E',
      'a',
      '\n',
      '\u{E0041}',
      '\uD800',
    ),
  });
  fc.assert(
    fc.property(nasty, (text) => {
      const clean = cleanText(text, 1000);
      // oxlint-disable-next-line no-control-regex -- this is what must not be there
      expect(clean).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
      expect(clean.isWellFormed()).toBe(true);
    }),
  );
});

test('cleanJson() cleans every text, including keys', () => {
  expect(cleanJson({ 'a\u0007': ['\u001B[1mb', 1, null, { c: true }] }, 100)).toEqual({
    a: ['b', 1, null, { c: true }],
  });
});
