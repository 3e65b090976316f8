import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createFailedTries } from './failed-tries.ts';

const WRONG = 'sbx_wrong_guess';

test('ten failures in a minute are free, and the next ones wait for the end of that minute', async () => {
  const clock = createManualClock();
  const tries = createFailedTries(clock);
  expect(tries.failed('10.0.0.1', WRONG)).toBe(0);
  await clock.advance(50_000);
  for (let i = 0; i < 9; i++) expect(tries.failed('10.0.0.1', WRONG)).toBe(0);
  expect(tries.failed('10.0.0.1', WRONG)).toBe(10_000);
  await clock.advance(9999);
  expect(tries.failed('10.0.0.1', WRONG)).toBe(1);
  await clock.advance(1);
  expect(tries.failed('10.0.0.1', WRONG)).toBe(0);
});

test('a client that fails blocks neither another address nor another token', () => {
  const tries = createFailedTries(createManualClock());
  for (let i = 0; i < 10; i++) tries.failed('10.0.0.1', WRONG);
  expect(tries.failed('10.0.0.2', WRONG)).toBe(0);
  expect(tries.failed('10.0.0.1', 'sbx_other_guess')).toBe(0);
});

test('tokens are told apart by their first 12 characters', () => {
  const tries = createFailedTries(createManualClock());
  for (let i = 0; i < 10; i++) expect(tries.failed('10.0.0.1', `sbx_wrong_gu${i}`)).toBe(0);
  expect(tries.failed('10.0.0.1', 'sbx_wrong_gu')).toBe(60_000);
  expect(tries.failed('10.0.0.1', 'sbx_wrong_g')).toBe(0);
});

test('the last 10,000 clients that failed are remembered', () => {
  const tries = createFailedTries(createManualClock());
  const repeat = (address: string) => Array.from({ length: 10 }, () => tries.failed(address, WRONG));
  repeat('first');
  repeat('second');
  tries.failed('first', WRONG);
  for (let n = 0; n < 9998; n++) tries.failed(`address ${n}`, WRONG);
  expect(tries.failed('second', WRONG)).toBe(60_000);
  expect(tries.failed('first', WRONG)).toBe(60_000);
  for (let n = 0; n < 9999; n++) tries.failed(`address ${n + 10_000}`, WRONG);
  expect(tries.failed('second', WRONG)).toBe(0);
  expect(tries.failed('first', WRONG)).toBe(0);
});
