import { expect, test } from 'vitest';
import { PLAIN_STYLE } from './ansi-tokens.ts';
import { drawnTokens, MAX_DRAWN } from './drawn-tokens.ts';

const textOf = (tokens: ReturnType<typeof drawnTokens>): string => tokens.map(({ text }) => text).join('');

test('adjacent tokens of one style are merged', () => {
  expect(drawnTokens('\u001B[31ma\u001B[31mb\u001B[0mc', false)).toEqual([
    { ...PLAIN_STYLE, colour: 'red', text: 'ab' },
    { ...PLAIN_STYLE, text: 'c' },
  ]);
});

test('with a new colour at each letter a page styles the part that is read, and the rest is plain', () => {
  const text = '\u001B[31ma\u001B[32mb'.repeat(10_000);
  const [beginning, end] = [drawnTokens(text, false), drawnTokens(text, true)];
  expect([beginning.length, end.length]).toEqual([MAX_DRAWN + 1, MAX_DRAWN + 1]);
  expect([textOf(beginning), textOf(end)]).toEqual(['ab'.repeat(10_000), 'ab'.repeat(10_000)]);
  expect([beginning.at(-1)?.colour, end[0]?.colour]).toEqual([null, null]);
  expect([beginning[0]?.colour, end.at(-1)?.colour]).toEqual(['red', 'green']);
});

test('boxes are limited, however they are spread over colours', () => {
  const text = `\u001B[31m${'a\u200B'.repeat(30)}\u001B[32m${'b\u202E'.repeat(30)}`.repeat(400);
  const tokens = drawnTokens(text, false);
  expect(tokens).toHaveLength(800);
  expect(tokens[0]?.text).toBe('a<U+200B>'.repeat(30));
});
