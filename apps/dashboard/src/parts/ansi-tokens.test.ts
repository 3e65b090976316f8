import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ansiTokens, PLAIN_STYLE } from './ansi-tokens.ts';

const ESC = '\u001B';

function textsOf(text: string): readonly string[] {
  return ansiTokens(text).tokens.map((token) => token.text);
}

test('colour, bold, dim and underline become tokens, and a reset ends them', () => {
  expect(ansiTokens(`a${ESC}[1;31mb${ESC}[0m${ESC}[2mc${ESC}[22;4md`).tokens).toEqual([
    { text: 'a', ...PLAIN_STYLE },
    { text: 'b', ...PLAIN_STYLE, bold: true, colour: 'red' },
    { text: 'c', ...PLAIN_STYLE, dim: true },
    { text: 'd', ...PLAIN_STYLE, underline: true },
  ]);
});

test('a style continues into the next part of the output', () => {
  const { style } = ansiTokens(`${ESC}[32mgreen`);
  expect(ansiTokens('still', style).tokens).toEqual([{ text: 'still', ...PLAIN_STYLE, colour: 'green' }]);
});

test('256 colours and true colour are dropped with all their numbers', () => {
  expect(ansiTokens(`${ESC}[38;5;1ma${ESC}[38;2;4;31;1mb${ESC}[1mc`).tokens).toEqual([
    { text: 'a', ...PLAIN_STYLE },
    { text: 'b', ...PLAIN_STYLE },
    { text: 'c', ...PLAIN_STYLE, bold: true },
  ]);
});

test('links, titles and cursor moves leave no trace', () => {
  const link = `${ESC}]8;;http://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`;
  expect(textsOf(`${ESC}]0;title\u0007${ESC}[2J${ESC}[10;3H${link}${ESC}7!`).join('')).toBe('click!');
});

test('text overwritten by a carriage return is dropped', () => {
  expect(textsOf('10%\r50%\rdone\r\nnext').join('')).toBe('done\nnext');
});

test('no text makes a token with an escape in it, and text without one is unchanged', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, ';31', 'm', '\u0007'));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const shown = textsOf(text).join('');
      const isPlain = !text.includes(ESC) && !text.includes('\r');
      expect(isPlain ? shown : text).toBe(text);
      expect(shown.includes(`${ESC}[0m`)).toBe(false);
    }),
  );
});

test('a line of a megabyte, an endless sequence and a thousand returns take a moment', () => {
  const long = 'x'.repeat(1_000_000);
  const texts = [
    long,
    `\u001B[${'!'.repeat(1_000_000)}\n`,
    `\u001B]${long}`,
    'x\r'.repeat(500_000),
    '\u001B[1'.repeat(300_000),
  ];
  const lengths = texts.map((text) =>
    ansiTokens(text).tokens.reduce((sum, token) => sum + token.text.length, 0),
  );
  // A pattern that restarts at each letter would take an hour.
  expect(lengths).toEqual([1_000_000, 1_000_001, 0, 1, 300_000]);
});
