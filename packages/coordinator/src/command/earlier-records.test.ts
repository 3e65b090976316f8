import { readFileSync } from 'node:fs';
import { CommandRecord } from '@signalbox/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ANA, createHarness, FREE } from '../testing/coordinator-harness.ts';

/** Records of the version that ran its machine from a table: one runs, one waits for it, one needs approval. */
const file = new URL('../testing/earlier-records.json', import.meta.url);
const EARLIER = z.array(CommandRecord).parse(JSON.parse(readFileSync(file, 'utf8')));

test('records of an earlier version are recovered: a waiting command continues, a running one is lost, an approval stays pending', async () => {
  const harness = createHarness({
    ...FREE,
    rules: [{ id: 'push', ask: { program: 'git', args: ['push'] } }],
  });
  for (const record of EARLIER.toReversed()) {
    const { revision } = record;
    for (let n = 1; n <= revision; n++) await harness.store.commit({ ...record, revision: n }, []);
  }
  const coordinator = await harness.start();
  await harness.settle();
  for (const id of harness.tools.holding()) harness.tools.release(id);
  await harness.settle();
  const now = await Promise.all(
    EARLIER.map(async ({ id, state }) => [state, (await harness.record(id)).result?.outcome.kind ?? 'open']),
  );
  expect(Object.fromEntries(now)).toEqual({
    running: 'lost',
    queued: 'completed',
    awaiting_approval: 'open',
  });
  const asked = EARLIER.find(({ state }) => state === 'awaiting_approval');
  if (asked?.approval == null) throw new Error('nothing was asked');
  const answered = await coordinator.approvals.answer(
    asked.id,
    { kind: 'approve' },
    { by: ANA, expect: asked.approval.callHash },
  );
  expect(answered.kind).toBe('granted');
});
