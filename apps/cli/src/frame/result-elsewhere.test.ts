import { aCommandRecord, createManualClock, createMemoryStore, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Holder } from '../house.ts';
import { resultElsewhere } from './result-elsewhere.ts';

const HOLDER: Holder = { pid: 7, host: 'here', subcommand: 'serve', startedAt: 0 };

async function setUp() {
  const clock = createManualClock();
  const { store } = createMemoryStore(clock);
  const record = aCommandRecord({ state: 'running' });
  await store.commit(record, []);
  let holder: Holder | null = HOLDER;
  const waiting = resultElsewhere(record.id, { store, holder: async () => holder }, clock);
  // Its first look.
  await clock.advance(0);
  return {
    clock,
    waiting,
    end: () => store.commit(ended(record), []),
    leave: () => (holder = null),
  };
}

test('the result of a command of another process comes when it is there, however long that takes', async () => {
  const { clock, waiting, end } = await setUp();
  await clock.advance(600_000);
  await end();
  await clock.advance(200);
  expect(await waiting).toMatchObject({ outcome: { kind: 'completed' } });
});

test('a result that its process left right before it went is found', async () => {
  const { clock, waiting, end, leave } = await setUp();
  await end();
  leave();
  await clock.advance(200);
  expect(await waiting).toMatchObject({ success: true });
});

test('nobody waits for a process that is gone and left no result', async () => {
  const { clock, waiting, leave } = await setUp();
  const failure = waiting.catch((error: unknown) => error);
  leave();
  await clock.advance(200);
  expect(await failure).toMatchObject({ code: 'coordinator-gone' });
});
