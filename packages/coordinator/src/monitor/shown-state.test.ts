import { type LastKnown, UnavailableError } from '@signalbox/core';
import {
  aCommandRecord,
  createManualClock,
  createMemoryFacts,
  createMemoryStore,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createShown } from './shown-state.ts';

const gone = new UnavailableError('redis-gone', 'Cannot reach it');

async function createHarness(away: LastKnown['away'], error: Error) {
  const clock = createManualClock();
  const memory = createMemoryStore(clock);
  const facts = createMemoryFacts();
  const record = aCommandRecord({ state: 'queued', queuedAt: 5 });
  await memory.store.commit(record, []);
  const lastKnown = { ...memory, facts, away, onChange: () => () => undefined };
  const scheduler = { snapshot: () => Promise.reject(error) };
  return {
    record,
    shown: createShown({ ...memory, facts, clock, scheduler, lastKnown, settings: { mode: 'NORMAL' } }),
  };
}

test.each([
  ['is known to be away', () => ({ since: 1, asOf: 1, why: 'it is' })],
  ['goes in the moment of asking', () => null],
])('the queue is derived from the commands when the backend %s', async (_, away) => {
  const { shown, record } = await createHarness(away, gone);
  const { waiting, leases } = await shown.queue();
  expect([waiting.map(({ commandId }) => commandId), leases]).toEqual([[record.id], []]);
});

test('an error other than an unreachable backend is not hidden by the last known state', async () => {
  const { shown } = await createHarness(() => null, new Error('a bug'));
  await expect(shown.queue()).rejects.toThrow('a bug');
});
