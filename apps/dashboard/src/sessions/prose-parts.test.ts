import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { proseParts } from './prose-parts.ts';

test('a row of backticks that is not a fence is scanned once', () => {
  const text = `${'~'.repeat(200_000)}\``;
  expect(proseParts(text)).toEqual([{ kind: 'prose', text }]);
});

test('text between fences is code, and the rest is prose', () => {
  expect(proseParts('I rewrite it:\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\nThen the tests.')).toEqual([
    { kind: 'prose', text: 'I rewrite it:' },
    { kind: 'code', text: 'const a = 1;\n\nconst b = 2;' },
    { kind: 'prose', text: 'Then the tests.' },
  ]);
});

test('a fence ends at one of its length, and a text cut off inside one is code to its end', () => {
  expect(proseParts('````\n```\nnot yet\n````\n~~~\nopen')).toEqual([
    { kind: 'code', text: '```\nnot yet' },
    { kind: 'code', text: 'open' },
  ]);
});

test('a text without fences keeps everything but surrounding whitespace', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', '*') }), (text) => {
      fc.pre(!/`{3}/.test(text));
      expect(proseParts(text).map((part) => part.text)).toEqual(text.trim() === '' ? [] : [text.trim()]);
    }),
  );
});
