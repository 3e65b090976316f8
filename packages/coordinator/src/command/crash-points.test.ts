import type { CommandId, CommandRecord } from '@signalbox/core';
import { expect, test } from 'vitest';
import { ANA, createStage, FREE, type Stage } from '../testing/coordinator-stage.ts';

/** Asks, waits, runs, is cancelled and claims: what a life can meet. Stops where the process dies. */
async function live(stage: Stage): Promise<readonly CommandId[]> {
  const coordinator = await stage.start();
  const holder = stage.submit(coordinator, 'hold', { path: 'a' });
  const waiting = stage.submit(coordinator, 'hold', { path: 'a' });
  const cancelled = stage.submit(coordinator, 'hold', { path: 'a' });
  const asked = stage.submit(coordinator, 'shell', { line: 'git push' });
  await stage.settle();
  await answerAll(stage, coordinator);
  await stage.settle();
  void coordinator.cancel(cancelled.commandId, 'ana');
  await stage.settle();
  for (const { commandId } of [holder, waiting]) {
    stage.tools.letGo(commandId);
    await stage.settle();
  }
  await stage.settle();
  return [holder, waiting, cancelled, asked].map(({ commandId }) => commandId);
}

async function answerAll(stage: Stage, coordinator: Awaited<ReturnType<Stage['start']>>): Promise<void> {
  for (const { id, approval } of await stage.store.list({ states: ['awaiting_approval'] })) {
    if (approval === null) continue;
    void coordinator.approvals.answer(id, { kind: 'approve' }, ANA, approval.callHash).catch(() => undefined);
  }
}

/** A later process takes up what the dead one left, and leads it to its end. */
async function recover(stage: Stage): Promise<void> {
  stage.setFaults(() => undefined);
  const coordinator = await stage.start({}, FREE);
  for (let round = 0; round < 6; round++) {
    await answerAll(stage, coordinator);
    for (const id of stage.tools.holding()) stage.tools.letGo(id);
    await stage.settle();
  }
}

const SETTINGS = { rules: [{ id: 'push', ask: { program: 'git', args: ['push'] } }] } as const;

for (const when of ['before', 'after'] as const) {
  test(`a process that dies right ${when} any call of store, scheduler, events or facts runs nothing twice and forgets nothing`, async () => {
    let calls = 0;
    const whole = createStage({ ...FREE, ...SETTINGS });
    whole.setFaults(() => void (calls += 1));
    await live(whole);
    expect(new Set(whole.tools.handled).size).toBe(3);
    expect(calls).toBeGreaterThan(40);
    for (let nth = 1; nth <= calls; nth++) {
      const stage = createStage({ ...FREE, ...SETTINGS });
      /** Handlers that were called for a command whose record did not say so yet. */
      const early: CommandId[] = [];
      let count = 0;
      stage.setFaults(() => {
        count += 1;
        if (count !== nth) return undefined;
        if (when === 'before') stage.kill();
        return when === 'after' ? 'crash' : undefined;
      });
      await Promise.race([live(stage), stage.settle().then(() => undefined)]);
      for (let round = 0; round < 8; round++) await stage.settle();
      const stored = new Map<CommandId, CommandRecord>();
      for (const record of await stage.store.list({ limit: 100 })) stored.set(record.id, record);
      for (const id of stage.tools.handled) if (stored.get(id)?.startedAt == null) early.push(id);
      expect([nth, early]).toEqual([nth, []]);
      stage.kill();
      await recover(stage);
      const records = await stage.store.list({ limit: 100 });
      expect([nth, records.filter(({ state }) => state !== 'done').map(({ state }) => state)]).toEqual([
        nth,
        [],
      ]);
      expect([nth, records.length]).toEqual([nth, Math.max(records.length, stored.size)]);
      const lines = stage.auditLines().map((line) => String(line['command_id']));
      expect([nth, new Set(lines), lines.length]).toEqual([
        nth,
        new Set(records.map(({ id }) => id)),
        records.length,
      ]);
      expect([nth, stage.tools.handled.length]).toEqual([nth, new Set(stage.tools.handled).size]);
      expect((await stage.scheduler().snapshot()).leases).toEqual([]);
    }
  });
}
