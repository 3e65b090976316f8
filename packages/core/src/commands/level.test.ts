import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAtLeast, Level, strictestLevel } from './level.ts';

test('levels grow from safe to blocked (S003-24)', () => {
  expect(Level.options).toEqual(['safe', 'warning', 'dangerous', 'blocked']);
  expect(isAtLeast('dangerous', 'warning')).toBe(true);
  expect(isAtLeast('warning', 'warning')).toBe(true);
  expect(isAtLeast('safe', 'warning')).toBe(false);
});

test('the strictest of several levels is one of them and at least as strict as each (S003-29)', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Level.options), { minLength: 1 }), (levels) => {
      const strictest = strictestLevel(levels);
      expect(levels).toContain(strictest);
      expect(levels.every((level) => isAtLeast(strictest, level))).toBe(true);
    }),
  );
});

test('the strictest of an empty list is safe', () => {
  expect(strictestLevel([])).toBe('safe');
});
