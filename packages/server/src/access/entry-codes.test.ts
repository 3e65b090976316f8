import { createManualClock, createSeededRandom } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createEntryCodes } from './entry-codes.ts';
import { ownerNamed } from './request-origins.ts';

const ANA = ownerNamed('ana');

function open() {
  const clock = createManualClock();
  return { clock, codes: createEntryCodes({ clock, random: createSeededRandom(1) }) };
}

test('a code lets its visitor in once', () => {
  const { codes, clock } = open();
  const { code, expiresAt } = codes.create(ANA);
  expect(code).toMatch(/^[\w-]{22}$/);
  expect(expiresAt).toBe(clock.now() + 120_000);
  expect(codes.use('unknown')).toBeNull();
  expect(codes.use(code)).toEqual(ANA);
  expect(codes.use(code)).toBeNull();
});

test('a code is valid for less than two minutes', async () => {
  const { codes, clock } = open();
  const [early, late] = [codes.create(ANA), codes.create(ownerNamed('ben'))];
  await clock.advance(119_999);
  expect(codes.use(early.code)).toEqual(ANA);
  await clock.advance(1);
  expect(codes.use(late.code)).toBeNull();
});

test('the last 100 codes are valid', () => {
  const { codes } = open();
  const made = Array.from({ length: 101 }, (_, n) => codes.create(ownerNamed(`visitor ${n}`)).code);
  expect(new Set(made).size).toBe(101);
  expect(made.map((code) => codes.use(code)?.name ?? null)).toEqual([
    null,
    ...Array.from({ length: 100 }, (_, n) => `visitor ${n + 1}`),
  ]);
});
