import { type CommandRecord, type NewEvent, UnavailableError } from '@signalbox/core';
import { aCommandRecord, createManualClock, createMemoryStore, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { resultElsewhere } from './result-elsewhere.ts';

test('a result from another coordinator is awaited while the store is unreachable', async () => {
  const clock = createManualClock();
  const { store, events } = createMemoryStore(clock);
  const led = aCommandRecord();
  await store.commit(led, []);
  let isAway = true;
  const get: typeof store.get = async (id) => {
    if (isAway) throw new UnavailableError('redis-gone', 'Cannot reach Redis');
    return store.get(id);
  };
  const { signal } = new AbortController();
  const result = resultElsewhere({ store: { get }, events, clock, signal }, led.id);
  await clock.advance(1000);
  isAway = false;
  await clock.advance(1000);

  isAway = true;
  const done = ended(led);
  await store.commit(done, [anEnding(done)]);
  await clock.advance(1000);
  isAway = false;
  await clock.advance(1000);
  expect(await result).toEqual(done.result);
});

test('the wait for a result ends when the store is unreachable and the coordinator closes', async () => {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock);
  const gone = new UnavailableError('redis-gone', 'Cannot reach Redis');
  const get = (): never => {
    throw gone;
  };
  const ending = new AbortController();
  const parts = { store: { get: async () => get() }, events, clock, signal: ending.signal };
  const result = resultElsewhere(parts, aCommandRecord().id);
  ending.abort();
  await expect(result).rejects.toBe(gone);
});

function anEnding({ id, title, call: { tool }, context: { sessionId, provider } }: CommandRecord): NewEvent {
  const of = { commandId: id, sessionId, provider, title, tool };
  return { type: 'command_completed', ...of, durationMs: 40, latencyMs: 100, exitCode: 0 };
}
