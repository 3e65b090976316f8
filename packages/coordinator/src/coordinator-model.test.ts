import { CallHash, type CommandId } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyAudit } from './audit/verify-audit.ts';
import type { Coordinator, Submitted } from './coordinator-api.ts';
import { ANA, BEN, changeTo, createHarness, type CoordinatorHarness } from './testing/coordinator-harness.ts';

/** Possible steps, in any order. `nth` picks one of the existing commands. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      tool: fc.constantFrom('echo', 'hold', 'hold', 'shell', 'broken', 'nope'),
      path: fc.constantFrom('a', 'b', '../x'),
      asking: fc.constantFrom('wait' as const, 'wait' as const, 'never' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      nth: fc.nat(9),
      kind: fc.constantFrom('approve', 'approve', 'deny', 'modify' as const),
      stale: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('cancel' as const), nth: fc.nat(9) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('process ends' as const), nth: fc.nat(9) }) },
  fc.record({
    do: fc.constant('mode' as const),
    mode: fc.constantFrom('NORMAL', 'ALERT', 'LOCKDOWN' as const),
  }),
  fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1, 9000, 40_000, 310_000) }),
  fc.record({ do: fc.constant('restart' as const), clean: fc.boolean() }),
  fc.record({ do: fc.constant('commit fails' as const), nth: fc.integer({ min: 1, max: 4 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Takes the steps at once, without waiting for their effects, except at a restart. */
async function play(harness: CoordinatorHarness, steps: readonly (Step & { readonly settle: boolean })[]) {
  let coordinator: Coordinator = await harness.start();
  const given = new Map<CommandId, string[]>();
  const background: Promise<unknown>[] = [];
  const ids: CommandId[] = [];

  function listen(submitted: Submitted): void {
    ids.push(submitted.commandId);
    void submitted.result.then(({ commandId, outcome }) =>
      given.set(commandId, [...(given.get(commandId) ?? []), outcome.kind]),
    );
  }

  async function take(next: Step): Promise<void> {
    switch (next.do) {
      case 'submit': {
        const { tool, path, asking } = next;
        const line = `echo x > ${path}`;
        const args = tool === 'hold' ? { path } : tool === 'shell' ? { line } : { text: 'x' };
        return listen(harness.submit(coordinator, tool, args, { asking }));
      }
      case 'answer': {
        const asked = await coordinator.approvals.pending();
        const record = asked[next.nth % Math.max(1, asked.length)];
        if (record?.approval == null) return;
        const hash = next.stale ? CallHash.parse('0'.repeat(64)) : record.approval.callHash;
        const answer =
          next.kind === 'modify'
            ? { kind: next.kind, ...(await changeTo(coordinator, record.id, { args: { path: 'c' } })) }
            : { kind: next.kind };
        const by = next.nth % 2 === 0 ? ANA : BEN;
        background.push(
          coordinator.approvals.answer(record.id, answer, { by, expect: hash }).catch(() => undefined),
        );
        return;
      }
      case 'cancel': {
        const id = ids[next.nth % Math.max(1, ids.length)];
        if (id !== undefined) background.push(coordinator.cancel(id, { by: 'ana' }));
        return;
      }
      case 'process ends': {
        const id = harness.tools.holding()[next.nth];
        if (id !== undefined) harness.tools.release(id);
        return;
      }
      case 'mode':
        background.push(coordinator.setMode(next.mode, { by: 'ana', reason: 'because' }));
        return;
      case 'time':
        return harness.clock.advance(next.ms);
      case 'restart':
        harness.setFaults(() => undefined);
        if (next.clean) await coordinator.close();
        else {
          harness.kill();
          // Callers that waited for the dead process wait for ever.
          background.length = 0;
          // Lets work in progress happen before the next process starts.
          await harness.settle();
        }
        coordinator = await harness.start();
        return;
      case 'commit fails': {
        let commits = 0;
        harness.setFaults((_port, method) => {
          if (method !== 'commit') return undefined;
          commits += 1;
          return commits === next.nth ? new Error('commit failed') : undefined;
        });
      }
    }
  }

  for (const next of steps) {
    await take(next);
    if (next.settle) await harness.settle();
  }
  // At the end, everything may complete.
  harness.setFaults(() => undefined);
  await harness.settle();
  for (let n = 0; n < 40 && (await harness.store.unfinished()).length > 0; n++) {
    for (const id of harness.tools.holding()) harness.tools.release(id);
    await harness.clock.advance(n % 2 === 0 ? 0 : 31_000);
  }
  await Promise.all(background);
  await harness.settle();
  return { coordinator, given, ids };
}

test('after any sequence of events every command ends with one result and one audit line, and no lease is left', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(step, fc.boolean()).map(([next, settle]) => ({ ...next, settle })),
        { maxLength: 30 },
      ),
      async (steps) => {
        const harness = createHarness({ approval: { expiry: '5m' } });
        const { coordinator, given, ids } = await play(harness, steps);
        expect(await harness.store.unfinished()).toEqual([]);
        expect(await coordinator.queue()).toEqual({ waiting: [], leases: [] });

        const lines = harness.auditLines();
        const records = await harness.store.list({ limit: 1000 });
        const audited = new Set(lines.map((line) => line['command_id']));
        expect(audited.size).toBe(lines.length);
        // A death between the audit line and the first commit leaves only the line: the command never ran.
        for (const { id } of records) audited.delete(id);
        for (const id of harness.tools.handled) expect(audited.has(id)).toBe(false);
        for (const record of records) {
          const line = lines.find((one) => one['command_id'] === record.id);
          expect([record.id, line?.['result']]).toEqual([record.id, record.result?.outcome.kind]);
          // A returned result is the recorded one; a result lost in a crash was never returned.
          const kinds = given.get(record.id) ?? [];
          expect(kinds.length <= 1 && kinds.every((kind) => kind === record.result?.outcome.kind)).toBe(true);
        }
        const runs = new Map<CommandId, number>();
        for (const id of harness.tools.handled) runs.set(id, (runs.get(id) ?? 0) + 1);
        expect([...runs.values()].every((count) => count === 1)).toBe(true);
        expect(ids.every((id) => records.some((record) => record.id === id) || !given.has(id))).toBe(true);
        expect((await verifyAudit(harness.auditFile)).problems).toEqual([]);
        await coordinator.close();
      },
    ),
    { numRuns: 150 },
  );
});
