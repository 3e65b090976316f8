import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { adoptLineEndings, replaceExactly } from './exact-replacement.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '$', '&', '\\'), maxLength: 5 });
const textWith = (ending: string) =>
  fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.boolean())
    .map(([lines, final]) => lines.join(ending) + (final ? ending : ''));
const texts = fc.oneof(textWith('\n'), textWith('\r\n'));
/** A text and a part of it that starts and ends between characters. */
const textAndPart = texts
  .filter((text) => text !== '')
  .chain((text) =>
    fc
      .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
      .map(([start, length]) => ({ text, part: text.slice(start, start + length) })),
  );

test('a replacement that is replaced back gives the text as it was', () => {
  fc.assert(
    fc.property(textAndPart, line, ({ text, part }, other) => {
      const newText = `<${other}>`;
      const there = replaceExactly(text, { oldText: part, newText, all: false });
      if (there.kind !== 'replaced') return;
      // A lone half of CR LF is completed, so what went is what the file's line endings make of it.
      const back = replaceExactly(there.text, { oldText: newText, newText: part, all: false });
      fc.pre(back.kind === 'replaced' && adoptLineEndings(part, there.text) === adoptLineEndings(part, text));
      expect(back).toEqual({ kind: 'replaced', count: 1, text });
    }),
  );
});

test('what stands around the match stays, character for character', () => {
  fc.assert(
    fc.property(textAndPart, line, ({ text, part }, newText) => {
      const wanted = adoptLineEndings(part, text);
      const start = text.indexOf(wanted);
      const result = replaceExactly(text, { oldText: part, newText, all: false });
      if (result.kind !== 'replaced') return;
      expect(result.text).toBe(text.slice(0, start) + newText + text.slice(start + wanted.length));
    }),
  );
});

test('a text that stands twice is not replaced without all, and is at both places with it', () => {
  fc.assert(
    fc.property(texts, texts, texts, (a, b, c) => {
      const text = `${a}<x>${b}<x>${c}`;
      expect(replaceExactly(text, { oldText: '<x>', newText: '$&', all: false }).kind).toBe('many-matches');
      expect(replaceExactly(text, { oldText: '<x>', newText: '$&', all: true })).toEqual({
        kind: 'replaced',
        count: 2,
        text: `${a}$&${b}$&${c}`,
      });
    }),
  );
});

test('a file whose lines end with CR LF keeps that ending in what a model writes with line feeds', () => {
  expect(replaceExactly('a\r\nb\r\nc\r\n', { oldText: 'a\nb', newText: 'x\ny\nz', all: false })).toEqual({
    kind: 'replaced',
    count: 1,
    text: 'x\r\ny\r\nz\r\nc\r\n',
  });
});

test('a file with mixed line endings is changed exactly as the texts say', () => {
  expect(replaceExactly('a\r\nb\nc', { oldText: 'b\nc', newText: 'd\n', all: false })).toMatchObject({
    text: 'a\r\nd\n',
  });
  expect(replaceExactly('a\r\nb\nc', { oldText: 'a\nb', newText: 'd', all: false }).kind).toBe('no-match');
});

test('matches are told by the lines on which they begin', () => {
  expect(replaceExactly('x\nx\n\nx x', { oldText: 'x', newText: 'y', all: false })).toEqual({
    kind: 'many-matches',
    lines: [1, 2, 4, 4],
  });
});

test('a text that differs only in white space is a near miss with its line', () => {
  const text = 'function f() {\n\treturn 1;\n}\n';
  expect(replaceExactly(text, { oldText: '  return 1;\n}', newText: '', all: false })).toEqual({
    kind: 'no-match',
    nearMisses: ['Line 2: the same but for white space; copy it exactly as it stands'],
  });
});

test('a text that begins alike is a near miss that says what stands there instead', () => {
  const text = 'if (a) {\n  b();\n}\n';
  expect(replaceExactly(text, { oldText: 'if (a) {\n  c();\n}', newText: '', all: false })).toEqual({
    kind: 'no-match',
    nearMisses: ['Line 1 begins alike, but at line 2 stands "b();", not "c();"'],
  });
  expect(replaceExactly('a', { oldText: 'zzz', newText: '', all: false })).toEqual({
    kind: 'no-match',
    nearMisses: [],
  });
});
