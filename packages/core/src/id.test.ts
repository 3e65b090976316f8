import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommandId, createId, LeaseId, ProviderId, SessionId } from './id.ts';
import { shortId } from './text/short-id.ts';
import { createSeededRandom } from './testing/seeded-random.ts';

test('a fresh id passes its own schema and no other', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 12 }), (bytes) => {
      const random = () => bytes;
      const ids = [createId('command', random), createId('session', random), createId('lease', random)];
      const schemas = [CommandId, SessionId, LeaseId];
      expect(schemas.map((schema) => ids.map((id) => schema.safeParse(id).success))).toEqual([
        [true, false, false],
        [false, true, false],
        [false, false, true],
      ]);
    }),
  );
});

test('different random bytes make different ids', () => {
  const random = createSeededRandom();
  const ids = Array.from({ length: 1000 }, () => createId('command', random));
  expect(new Set(ids).size).toBe(1000);
});

test('an id begins with a letter and has no ambiguous characters', () => {
  const text = createId('turn', () => new Uint8Array(12).fill(255)).slice('trn_'.length);
  expect(text).toMatch(/^[a-z][0-9a-z]{11}$/);
  expect(CommandId.safeParse('cmd_1bcdefghjkmn').success).toBe(false);
  expect(CommandId.safeParse('cmd_abcdefghijkl').success).toBe(false);
  expect(CommandId.safeParse('cmd_abcdefghjkm').success).toBe(false);
});

test('a short id is the first letters after the prefix', () => {
  expect(shortId('cmd_m2qdw8x0k4tz')).toBe('m2qd');
  expect(shortId('cmd_m2qdw8x0k4tz', 6)).toBe('m2qdw8');
});

test.for([
  ['anthropic', true],
  ['local-2', true],
  ['you', true],
  ['Anthropic', false],
  ['2nd', false],
  ['', false],
  ['a'.repeat(33), false],
] as const)('%j may name a provider: %s', ([name, answer]) => {
  expect(ProviderId.safeParse(name).success).toBe(answer);
});
