import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, Json } from './json.ts';

test('canonicalJson() sorts keys at every depth and leaves lists in order', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }, 'x'], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},"x"]}');
});

test('canonicalJson() gives the same text for any order of keys, and loses nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(keysReversed(value))).toBe(text);
      // JSON has no -0.
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('canonicalJson() gives different texts for different values', () => {
  const values = [{ a: 1 }, { a: '1' }, { a: [1] }, { a: { b: 1 } }, { b: 1 }, [1], 1, null, {}, []];
  expect(new Set(values.map((value) => canonicalJson(value))).size).toBe(values.length);
});

test.for([[undefined], [() => 1], [Number.NaN], [new Date(0)], [{ a: undefined }], [1n]])(
  '%o is not JSON',
  ([value]) => {
    expect(Json.safeParse(value).success).toBe(false);
  },
);

function keysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => keysReversed(part));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, keysReversed(part)]),
  );
}
