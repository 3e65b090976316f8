import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsMore, nestsDeeper } from './refuse-deep.ts';

test('the depth of a body is that of its deepest part, in lists and objects alike', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      fc.json({ maxDepth: 0 }),
      (nests, leaf) => {
        const body = nests.reduce<unknown>(
          (inner, isList) => (isList ? [1, inner, 'x'] : { a: null, b: inner }),
          JSON.parse(leaf),
        );
        expect(nestsDeeper(body, nests.length)).toBe(false);
        expect(nestsDeeper(body, nests.length - 1)).toBe(true);
      },
    ),
  );
});

test('nesting deeper than the call stack is detected too', () => {
  const depth = 50_000;
  const body: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  expect(nestsDeeper(body, 100)).toBe(true);
  expect(nestsDeeper(body, depth)).toBe(false);
});

test('values are counted at every depth, lists and objects alike', () => {
  const body = { a: [1, { b: 2 }], c: 'text' };
  expect(holdsMore(body, 4)).toBe(true);
  expect(holdsMore(body, 5)).toBe(false);
  expect(holdsMore('text', 0)).toBe(false);
});
