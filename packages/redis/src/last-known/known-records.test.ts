import { type CommandRecord, CommandState, EventId } from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  createManualClock,
  createMemoryStore,
  ended,
  SOME_TIME,
} from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKnownRecords } from './known-records.ts';

const step = fc.record({
  label: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  state: fc.constantFrom(...CommandState.options),
});

test('records are found and listed as by a store with the same content', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { store } = createMemoryStore(createManualClock());
      const known = createKnownRecords();
      const now = new Map<string, CommandRecord>();
      for (const { label, state } of steps) {
        const before = now.get(label);
        if (before?.state === 'done') continue;
        const at = SOME_TIME + 'edcba'.indexOf(label);
        const first = aCommandRecord({ id: aCommandId(label), submittedAt: at, revision: 0 });
        const from = before ?? first;
        const next = state === 'done' ? ended(from) : { ...from, revision: from.revision + 1, state };
        now.set(label, next);
        await store.commit(next, []);
        known.put(next, null);
      }
      for (const filter of [{}, { limit: 2 }, { states: ['done', 'queued'] as const }, { to: SOME_TIME + 2 }])
        expect(known.list(filter)).toEqual(await store.list(filter));
      const found = await store.find('');
      expect(known.find('') ?? []).toEqual(found);
      for (const label of 'abcde')
        expect(known.get(aCommandId(label)) ?? null).toEqual(await store.get(aCommandId(label)));
      const ids = (records: readonly CommandRecord[]) => records.map(({ id }) => id).toSorted();
      expect(ids(known.unfinished())).toEqual(ids(await store.unfinished()));
    }),
    { numRuns: 50 },
  );
});

test('an older revision that arrives late changes nothing', () => {
  const known = createKnownRecords();
  const first = aCommandRecord();
  known.put(ended(first), null);
  known.put(first, null);
  expect(known.get(first.id)?.state).toBe('done');
});

test('an event stored with the known revision is not newer, a later one is', () => {
  const known = createKnownRecords();
  const record = aCommandRecord();
  expect(known.isNewer(record.id, EventId.parse('5-0'))).toBe(true);
  known.put(record, EventId.parse('5-1'));
  const isNewer = ['5-0', '5-1', '5-2'].map((id) => known.isNewer(record.id, EventId.parse(id)));
  expect(isNewer).toEqual([false, false, true]);
});

test('the latest 500 finished records and all unfinished ones are kept', () => {
  const known = createKnownRecords();
  const labelled = (kind: string, n: number) => aCommandRecord({ id: aCommandId(`${kind}${n}`) });
  for (let n = 0; n < 700; n++) {
    known.put(labelled('o', n), null);
    known.put(ended(labelled('d', n)), null);
  }
  expect(known.list({ limit: 2000, states: ['done'] })).toHaveLength(500);
  expect(known.unfinished()).toHaveLength(700);
  expect([known.get(aCommandId('d199')), known.get(aCommandId('d200'))?.state]).toEqual([undefined, 'done']);
});
