import type { CommandId, CommandRecord } from '@signalbox/core';
import { expect, test } from 'vitest';
import { ANA, createHarness, FREE, type CoordinatorHarness } from '../testing/coordinator-harness.ts';

/** Covers asking, waiting, running, cancelling and claiming. Stops where the process dies. */
async function live(harness: CoordinatorHarness): Promise<readonly CommandId[]> {
  const coordinator = await harness.start();
  const holder = harness.submit(coordinator, 'hold', { path: 'a' });
  const waiting = harness.submit(coordinator, 'hold', { path: 'a' });
  const cancelled = harness.submit(coordinator, 'hold', { path: 'a' });
  const asked = harness.submit(coordinator, 'shell', { line: 'git push' });
  await harness.settle();
  await answerAll(harness, coordinator);
  await harness.settle();
  void coordinator.cancel(cancelled.commandId, { by: 'ana' });
  await harness.settle();
  for (const { commandId } of [holder, waiting]) {
    harness.tools.release(commandId);
    await harness.settle();
  }
  await harness.settle();
  return [holder, waiting, cancelled, asked].map(({ commandId }) => commandId);
}

async function answerAll(
  harness: CoordinatorHarness,
  coordinator: Awaited<ReturnType<CoordinatorHarness['start']>>,
): Promise<void> {
  for (const { id, approval } of await harness.store.list({ states: ['awaiting_approval'] })) {
    if (approval === null) continue;
    void coordinator.approvals
      .answer(id, { kind: 'approve' }, { by: ANA, expect: approval.callHash })
      .catch(() => undefined);
  }
}

/** A later process recovers what the dead one left, and completes it. */
async function recover(harness: CoordinatorHarness): Promise<void> {
  harness.setFaults(() => undefined);
  const coordinator = await harness.start({}, FREE);
  for (let round = 0; round < 6; round++) {
    await answerAll(harness, coordinator);
    for (const id of harness.tools.holding()) harness.tools.release(id);
    await harness.settle();
  }
}

const SETTINGS = { rules: [{ id: 'push', ask: { program: 'git', args: ['push'] } }] } as const;

for (const when of ['before', 'after'] as const) {
  test(`a process that dies right ${when} any call of store, scheduler, events or facts runs nothing twice and loses nothing`, async () => {
    let calls = 0;
    const whole = createHarness({ ...FREE, ...SETTINGS });
    whole.setFaults(() => void (calls += 1));
    await live(whole);
    expect(new Set(whole.tools.handled).size).toBe(3);
    expect(calls).toBeGreaterThan(40);
    for (let nth = 1; nth <= calls; nth++) {
      const harness = createHarness({ ...FREE, ...SETTINGS });
      /** Handlers called for a command whose record did not say so yet. */
      const early: CommandId[] = [];
      let count = 0;
      harness.setFaults(() => {
        count += 1;
        if (count !== nth) return undefined;
        if (when === 'before') harness.kill();
        return when === 'after' ? 'crash' : undefined;
      });
      await Promise.race([live(harness), harness.settle().then(() => undefined)]);
      for (let round = 0; round < 8; round++) await harness.settle();
      const stored = new Map<CommandId, CommandRecord>();
      for (const record of await harness.store.list({ limit: 100 })) stored.set(record.id, record);
      for (const id of harness.tools.handled) if (stored.get(id)?.startedAt == null) early.push(id);
      expect([nth, early]).toEqual([nth, []]);
      harness.kill();
      await recover(harness);
      const records = await harness.store.list({ limit: 100 });
      expect([nth, records.filter(({ state }) => state !== 'done').map(({ state }) => state)]).toEqual([
        nth,
        [],
      ]);
      expect([nth, records.length]).toEqual([nth, Math.max(records.length, stored.size)]);
      const lines = harness.auditLines().map((line) => String(line['command_id']));
      expect([nth, new Set(lines), lines.length]).toEqual([
        nth,
        new Set(records.map(({ id }) => id)),
        records.length,
      ]);
      expect([nth, harness.tools.handled.length]).toEqual([nth, new Set(harness.tools.handled).size]);
      expect((await harness.scheduler().snapshot()).leases).toEqual([]);
    }
  });
}
