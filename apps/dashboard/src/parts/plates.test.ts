import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { platesOf } from './plates.ts';

test('well-known providers have the plates of the design, others the initials of their words', () => {
  const names = ['openai', 'opencode', 'anthropic', 'deepseek', 'claude-code', 'my-agent', 'bot7', 'bot31'];
  expect([...platesOf(names).values()]).toEqual(['OA', 'OC', 'AN', 'DS', 'CC', 'MA', 'B7', '31']);
});

test('forty bots have forty plates (U-WEAK)', () => {
  const names = Array.from({ length: 40 }, (_, at) => `bot${at}`);
  expect(new Set(platesOf(names).values()).size).toBe(40);
});

test('plates have two characters, are unique up to 1,296 providers, and stay when others join', () => {
  const name = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' });
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 60 }), fc.nat(60), (names, at) => {
      const plates = platesOf(names);
      expect([...plates.values()].every((plate) => plate.length === 2)).toBe(true);
      expect(new Set(plates.values()).size).toBe(names.length);
      const before = names.slice(0, at);
      expect([...platesOf(before)]).toEqual([...plates].slice(0, before.length));
    }),
  );
});
