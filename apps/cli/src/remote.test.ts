import {
  aCommandId,
  createManualClock,
  createMemoryFacts,
  createSeededRandom,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createRemote } from './remote.ts';

function setUp() {
  const clock = createManualClock();
  const facts = createMemoryFacts();
  const resultOf = () => Promise.reject(new Error('nothing was begun'));
  const remote = createRemote({
    facts,
    clock,
    addressees: async () => [undefined],
    random: createSeededRandom(1),
    resultOf,
  });
  const failure = remote.cancel(aCommandId(), 'ana', 'enough').catch((error: unknown) => error);
  return { clock, facts, failure };
}

test('what nobody has read is taken back after 10 s, and it says that nothing was done', async () => {
  const { clock, facts, failure } = setUp();
  await clock.advance(10_200);
  expect(await failure).toMatchObject({
    code: 'no-answer',
    why: ['waited 10 s; it has not read this, so nothing was done'],
  });
  expect(await facts.get('mailbox')).toEqual({ letters: [], replies: [] });
});

test('what was read and never answered may have been done, and it says so', async () => {
  const { clock, facts, failure } = setUp();
  await clock.advance(100);
  await facts.set('mailbox', { letters: [], replies: [] });
  await clock.advance(10_200);
  expect(await failure).toMatchObject({
    code: 'answer-unknown',
    why: ['waited 10 s; it may have been done'],
    next: [expect.stringContaining('signalbox status')],
  });
});
