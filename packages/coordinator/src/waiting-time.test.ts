import { expect, test } from 'vitest';
import { ANA, anExecution, createHarness } from './testing/coordinator-harness.ts';

test('waiting for a person and for others does not count as running time, neither in the result nor for the time limit (X-11, S002-50, L-14)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  harness.setProgram(async () => {
    await new Promise<void>((resolve) => harness.clock.timer(900, resolve));
    return anExecution();
  });
  const holder = harness.submit(coordinator, 'hold', { path: 'a' }, { timeoutMs: 3_600_000 });
  const asked = harness.submit(coordinator, 'shell', { line: 'touch a' }, { timeoutMs: 1000 });
  const answer = async ({ commandId, resting }: typeof asked): Promise<void> => {
    await resting;
    const { approval } = await harness.record(commandId);
    if (approval === null) throw new Error('nothing asked');
    await coordinator.approvals.answer(
      commandId,
      { kind: 'approve' },
      { by: ANA, expect: approval.callHash },
    );
  };
  await answer(holder);
  await harness.settle();
  await harness.clock.advance(100_000);
  await answer(asked);
  await harness.settle();
  expect(asked.status).toBe('queued');
  await harness.clock.advance(90_000);
  expect(harness.requests).toEqual([]);
  harness.tools.release(holder.commandId);
  await harness.settle();
  // The file named in the request exists now, so approval is requested again.
  expect(asked.status).toBe('pending');
  await harness.clock.advance(60_000);
  await answer(asked);
  await harness.settle();
  await harness.clock.advance(1000);
  expect(await asked.result).toMatchObject({
    outcome: { kind: 'completed' },
    durationMs: 900,
    approvalMs: 250_000,
    waitedMs: 0,
  });
  expect(harness.requests.map(({ limits }) => limits.timeoutMs)).toEqual([1000]);
});

test('a command that runs longer than its time limit is stopped, however short it waited', async () => {
  const harness = createHarness({ approval: { approval_mode: 'allow_all' } });
  const coordinator = await harness.start();
  const slow = harness.submit(coordinator, 'hold', { path: 'a' }, { timeoutMs: 1000 });
  await harness.settle();
  await harness.clock.advance(2100);
  expect((await slow.result).outcome.kind).toBe('timed_out');
});

test('setting the clock changes no reported duration of a command (F-W8)', async () => {
  const harness = createHarness({ approval: { approval_mode: 'allow_all' } });
  const coordinator = await harness.start();
  const holder = harness.submit(coordinator, 'hold', { path: 'a' });
  const waiting = harness.submit(coordinator, 'hold', { path: 'a' });
  await harness.settle();
  await harness.clock.advance(300);
  harness.clock.setNow(harness.clock.now() + 400 * 86_400_000);
  await harness.clock.advance(50);
  harness.tools.release(holder.commandId);
  await harness.settle();
  expect(await holder.result).toMatchObject({ latencyMs: 350, durationMs: 350, waitedMs: 0 });
  harness.clock.setNow(harness.clock.now() - 800 * 86_400_000);
  await harness.clock.advance(20);
  harness.tools.release(waiting.commandId);
  await harness.settle();
  expect(await waiting.result).toMatchObject({ latencyMs: 370, durationMs: 20, waitedMs: 350 });
  expect(harness.auditLines()).toMatchObject([
    { latency_ms: 350, duration_ms: 350 },
    { latency_ms: 370, duration_ms: 20 },
  ]);
});
