import type { CommandRecord } from '@signalbox/core';
import {
  aCall,
  aCallContext,
  aCommandId,
  aCommandRecord,
  aProviderId,
  createManualClock,
  createMemoryStore,
  ended,
  SOME_TIME,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createMonitor } from './monitor.ts';

const OPENAI = aCallContext({ provider: aProviderId('openai') });

async function storeWith(records: readonly CommandRecord[]) {
  const { store } = createMemoryStore(createManualClock());
  for (const record of records) await store.commit({ ...record, revision: 1 }, []);
  return store;
}

function done(
  label: string,
  overrides: Partial<CommandRecord>,
  more: { kind?: 'completed' | 'failed' | 'denied' | 'cancelled'; durationMs?: number; cpuMs?: number } = {},
): CommandRecord {
  const record = ended(aCommandRecord({ id: aCommandId(label), startedAt: SOME_TIME, ...overrides }), {
    outcome: more.kind,
  });
  if (record.result === null) throw new Error('no result');
  const { durationMs = 40, cpuMs = 5 } = more;
  return {
    ...record,
    result: { ...record.result, durationMs, usage: { cpuMs, peakMemoryBytes: cpuMs * 100 } },
  };
}

test('a provider’s totals count its commands by outcome, and time only those that ran (S003-45)', async () => {
  const store = await storeWith([
    done('a', { context: OPENAI }, { durationMs: 10 }),
    done('b', { context: OPENAI }, { durationMs: 20, cpuMs: 9 }),
    done('c', { context: OPENAI }, { durationMs: 90, kind: 'failed' }),
    done('d', { context: OPENAI, startedAt: null, call: aCall({ tool: 'bash' }) }, { kind: 'denied' }),
    done('e', { context: OPENAI, startedAt: null }, { kind: 'cancelled' }),
    done('f', {}),
    aCommandRecord({ id: aCommandId('g') }),
  ]);
  const [openai, anthropic] = await createMonitor(store, 1000).stats();
  expect(openai).toEqual({
    provider: 'openai',
    commands: 5,
    completed: 2,
    failed: 1,
    denied: 1,
    cancelled: 1,
    meanMs: 40,
    medianMs: 20,
    p95Ms: 90,
    waitedMs: 300,
    approvalMs: 0,
    cpuMs: 29,
    peakMemoryBytes: 900,
    reused: 0,
    savedMs: 0,
    savedTokens: 0,
    suspects: 0,
    utility: { skipped: { calls: 0, tokens: 0 }, inShadow: { calls: 0, tokens: 0 } },
    complexCalls: { withThoughts: { calls: 0, invalid: 0 }, without: { calls: 0, invalid: 0 } },
    mostUsed: [
      { tool: 'echo', commands: 4 },
      { tool: 'bash', commands: 1 },
    ],
  });
  expect(anthropic).toMatchObject({ provider: 'anthropic', commands: 1 });
});

test('totals of commands that never ran are zero, not missing', async () => {
  const store = await storeWith([done('a', { startedAt: null }, { kind: 'denied' })]);
  expect(await createMonitor(store, 1000).stats()).toMatchObject([{ meanMs: 0, medianMs: 0, p95Ms: 0 }]);
});

test('totals start at a given time, and history returns finished commands only', async () => {
  const store = await storeWith([
    done('a', { submittedAt: SOME_TIME }),
    done('b', { submittedAt: SOME_TIME + 1000 }),
    aCommandRecord({ id: aCommandId('g') }),
  ]);
  const monitor = createMonitor(store, 1000);
  expect(await monitor.stats(SOME_TIME + 1000)).toMatchObject([{ commands: 1 }]);
  expect((await monitor.history({})).map(({ id }) => id)).toEqual([aCommandId('b'), aCommandId('a')]);
});

test('totals of an interval count every command in it, however many there are', async () => {
  const many = Array.from({ length: 10_100 }, (_, number) =>
    done(`c${number}`, { submittedAt: SOME_TIME + Math.floor(number / 3) }),
  );
  const monitor = createMonitor(await storeWith(many), 1);
  expect(await monitor.stats(SOME_TIME)).toMatchObject([{ commands: 10_100, completed: 10_100 }]);
});

test('totals include commands rotated out of the history; an interval counts kept ones only (S003-79)', async () => {
  const store = await storeWith([
    done('a', { context: OPENAI, endedAt: SOME_TIME + 1 }),
    done('b', { context: OPENAI, endedAt: SOME_TIME + 2 }, { kind: 'failed' }),
    done('c', { context: OPENAI, endedAt: SOME_TIME + 3 }),
  ]);
  expect(await store.rotate({ atLeast: 1, since: Infinity, maxBytes: 0 })).toBe(2);
  const monitor = createMonitor(store, 1);
  const [all] = await monitor.stats();
  expect(all).toMatchObject({ provider: 'openai', commands: 3, completed: 2, failed: 1 });
  expect(all?.mostUsed).toMatchObject([{ commands: 3 }]);
  const [recent] = await monitor.stats(0);
  expect(recent).toMatchObject({ commands: 1, completed: 1, failed: 0 });
});

test('results that were used again are counted, with the time that this saved (O1)', async () => {
  const reusedFrom = {
    commandId: aCommandId('a'),
    provider: aProviderId('openai'),
    endedAt: 1,
    durationMs: 12_000,
  };
  const again = done('b', { context: OPENAI }, { durationMs: 3 });
  const store = await storeWith([
    done('a', { context: OPENAI }, { durationMs: 12_000 }),
    { ...again, result: again.result === null ? null : { ...again.result, reusedFrom } },
  ]);
  const [openai] = await createMonitor(store, 1000).stats();
  expect(openai).toMatchObject({ commands: 2, medianMs: 12_000, reused: 1, savedMs: 12_000 });
});
