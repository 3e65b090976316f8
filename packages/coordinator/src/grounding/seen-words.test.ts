import { SessionId } from '@signalbox/core';
import { aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createSeenWords } from './seen-words.ts';

const session: SessionId = aSessionId();

function seeing(...texts: readonly string[]): ReturnType<typeof createSeenWords> {
  const seen = createSeenWords('/work/shop');
  for (const text of texts) seen.note(session, text);
  return seen;
}

test.each([
  ['src/cart.ts', 'see src/cart.ts:12:3'],
  ['src/cart.ts', 'cart.ts  total.ts'],
  ['src/cart.ts', 'at f (/work/shop/src/cart.ts:9)'],
  ['src/cart.ts', "import { total } from './cart';"],
  ['src/cart.ts', 'Open ./src/cart.ts.'],
  ['src/Cart.ts', 'SRC/CART.TS'],
  ['docs/naïve.md', 'docs/naïve.md'],
])('%s is mentioned in: %s', (path, text) => {
  expect(seeing(text).hasPath(session, path)).toBe(true);
});

test.each([
  ['src/cart.ts', 'src/other/cart.ts'],
  ['src/cart.ts', 'the cart is broken'],
  ['src/cart.ts', 'src/cart.tsx.bak'],
])('%s is not mentioned in: %s', (path, text) => {
  expect(seeing(text).hasPath(session, path)).toBe(false);
});

test('a commit is known by any form of its id, in its own session alone', () => {
  const seen = seeing('commit 1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d', '9f8e7d6..0a1b2c3 main');
  for (const id of ['1a2b3c4', '1a2b3c4d5e6f', '9f8e7d6a', '0a1b2c3'])
    expect(seen.hasId(session, id)).toBe(true);
  expect(seen.hasId(session, '7777aaa')).toBe(false);
  expect(seen.hasId(aSessionId('b'), '1a2b3c4')).toBe(false);
});

test('a session that has read more words than are kept knows every path', () => {
  const seen = createSeenWords('/work/shop');
  for (let from = 0; from < 60_000; from += 10_000)
    seen.note(session, Array.from({ length: 10_000 }, (_, at) => `w${from + at}`).join(' '));
  expect(seen.hasPath(session, 'never/said.ts')).toBe(true);
});
