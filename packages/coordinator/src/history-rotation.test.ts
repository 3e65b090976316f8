import { RunId } from '@signalbox/core';
import { createMemoryRunStore } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createHarness, FREE } from './testing/coordinator-harness.ts';

test('the history keeps what a session of a run that is not over has done, across a restart', async () => {
  const settings = { ...FREE, execution: { execution_history_limit: 5, history_max_age: 0 } };
  const harness = createHarness(settings);
  const runStore = createMemoryRunStore(harness.events);
  const coordinator = await harness.start();
  const calls = Array.from({ length: 20 }, () => harness.submit(coordinator, 'echo', { text: 'a' }));
  const [first] = await Promise.all(calls.map(({ result }) => result));
  const parts = { [first?.sessionId ?? '']: null };
  const id = RunId.parse('run_aaaaaaaaaaaa');
  await runStore.commit({ id, owner: null, kind: 'begun', parts }, []);
  await coordinator.close();
  await harness.clock.advance(1);
  await harness.start({ runStore });
  expect((await harness.store.list({ limit: 100 })).length).toBe(20);
});
