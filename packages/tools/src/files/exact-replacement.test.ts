import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { adoptLineEndings, findOccurrences, replaceExactly } from './exact-replacement.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '$', '&', '\\'), maxLength: 5 });
const textWith = (ending: string) =>
  fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.boolean())
    .map(([lines, final]) => lines.join(ending) + (final ? ending : ''));
const texts = fc.oneof(textWith('\n'), textWith('\r\n'));
/** A text and a part of it, cut between characters. */
const textAndPart = texts
  .filter((text) => text !== '')
  .chain((text) =>
    fc
      .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
      .map(([start, length]) => ({ text, part: text.slice(start, start + length) })),
  );

test('replacing back restores the original text', () => {
  fc.assert(
    fc.property(textAndPart, line, ({ text, part }, other) => {
      const newText = `<${other}>`;
      const there = replaceExactly(text, { oldText: part, newText, all: false });
      if (there.kind !== 'replaced') return;
      // A lone half of CR LF is completed, so the file contains the text with the file's line endings.
      const back = replaceExactly(there.text, { oldText: newText, newText: part, all: false });
      fc.pre(back.kind === 'replaced' && adoptLineEndings(part, there.text) === adoptLineEndings(part, text));
      expect(back).toEqual({ kind: 'replaced', count: 1, text });
    }),
  );
});

test('text around the match is unchanged', () => {
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

test('a text that occurs twice is replaced only with `all`, and then at both places', () => {
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

test('a file with CR LF line endings keeps them in new text with line feeds', () => {
  expect(replaceExactly('a\r\nb\r\nc\r\n', { oldText: 'a\nb', newText: 'x\ny\nz', all: false })).toEqual({
    kind: 'replaced',
    count: 1,
    text: 'x\r\ny\r\nz\r\nc\r\n',
  });
});

test('a file with mixed line endings is matched exactly', () => {
  expect(replaceExactly('a\r\nb\nc', { oldText: 'b\nc', newText: 'd\n', all: false })).toMatchObject({
    text: 'a\r\nd\n',
  });
  expect(replaceExactly('a\r\nb\nc', { oldText: 'a\nb', newText: 'd', all: false }).kind).toBe('no-match');
});

test('matches are reported by the line they begin on', () => {
  expect(replaceExactly('x\nx\n\nx x', { oldText: 'x', newText: 'y', all: false })).toEqual({
    kind: 'many-matches',
    lines: [1, 2, 4, 4],
  });
});

test('a text that differs only in white space is a near miss with its line', () => {
  const text = 'function f() {\n\treturn 1;\n}\n';
  expect(replaceExactly(text, { oldText: '  return 1;\n}', newText: '', all: false })).toEqual({
    kind: 'no-match',
    nearMisses: ['Line 2: the same except for white space; copy it exactly'],
  });
});

test('a text with the same first line is a near miss that shows the first difference', () => {
  const text = 'if (a) {\n  b();\n}\n';
  expect(replaceExactly(text, { oldText: 'if (a) {\n  c();\n}', newText: '', all: false })).toEqual({
    kind: 'no-match',
    nearMisses: ['Line 1 matches, but line 2 is "b();", not "c();"'],
  });
  expect(replaceExactly('a', { oldText: 'zzz', newText: '', all: false })).toEqual({
    kind: 'no-match',
    nearMisses: [],
  });
});

const ab = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });

test('every occurrence of a text is found, including overlapping ones', () => {
  fc.assert(
    fc.property(ab(40), ab(5, 1), (text, wanted) => {
      const all = Array.from(text, (_, at) => at).filter((at) => text.startsWith(wanted, at));
      expect(findOccurrences(text, wanted)).toEqual(all);
      expect(findOccurrences(text.split(''), wanted.split(''), { max: 2 })).toEqual(all.slice(0, 2));
    }),
  );
});

test('occurrences without overlap are those between the pieces of a split', () => {
  fc.assert(
    fc.property(ab(40), ab(5, 1), (text, wanted) => {
      const pieces = text.split(wanted);
      const ends = pieces.slice(0, -1).map((_, at) => pieces.slice(0, at + 1).join(wanted).length);
      expect(findOccurrences(text, wanted, { mayOverlap: false })).toEqual(ends);
    }),
  );
});
