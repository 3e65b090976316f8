import { expect, test } from 'vitest';
import { ANA, anExecution, createStage } from './testing/coordinator-stage.ts';

test('waiting for a person and for others is no running time: not of the result, and not of the bound (X-11)', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  stage.setProgram(async () => {
    await new Promise<void>((resolve) => stage.clock.timer(900, resolve));
    return anExecution();
  });
  const holder = stage.submit(coordinator, 'hold', { path: 'a' }, { timeoutMs: 3_600_000 });
  const asked = stage.submit(coordinator, 'shell', { line: 'touch a' }, { timeoutMs: 1000 });
  const answer = async ({ commandId, resting }: typeof asked): Promise<void> => {
    await resting;
    const { approval } = await stage.record(commandId);
    if (approval === null) throw new Error('nothing asked');
    await coordinator.approvals.answer(commandId, { kind: 'approve' }, ANA, approval.callHash);
  };
  await answer(holder);
  await stage.settle();
  await stage.clock.advance(100_000);
  await answer(asked);
  await stage.settle();
  expect(asked.status).toBe('queued');
  await stage.clock.advance(90_000);
  expect(stage.requests).toEqual([]);
  stage.tools.letGo(holder.commandId);
  await stage.settle();
  // The file of which it was asked is there now, so it is asked once more.
  expect(asked.status).toBe('pending');
  await stage.clock.advance(60_000);
  await answer(asked);
  await stage.settle();
  await stage.clock.advance(1000);
  expect(await asked.result).toMatchObject({
    outcome: { kind: 'completed' },
    durationMs: 900,
    approvalMs: 250_000,
    waitedMs: 0,
  });
  expect(stage.requests.map(({ limits }) => limits.timeoutMs)).toEqual([1000]);
});

test('a command that runs longer than its bound is stopped, however short it waited', async () => {
  const stage = createStage({ approval: { approval_mode: 'allow_all' } });
  const coordinator = await stage.start();
  const slow = stage.submit(coordinator, 'hold', { path: 'a' }, { timeoutMs: 1000 });
  await stage.settle();
  await stage.clock.advance(2100);
  expect((await slow.result).outcome.kind).toBe('timed_out');
});

test('somebody who sets the clock changes no time that is told of a command (F-W8)', async () => {
  const stage = createStage({ approval: { approval_mode: 'allow_all' } });
  const coordinator = await stage.start();
  const holder = stage.submit(coordinator, 'hold', { path: 'a' });
  const waiting = stage.submit(coordinator, 'hold', { path: 'a' });
  await stage.settle();
  await stage.clock.advance(300);
  stage.clock.setNow(stage.clock.now() + 400 * 86_400_000);
  await stage.clock.advance(50);
  stage.tools.letGo(holder.commandId);
  await stage.settle();
  expect(await holder.result).toMatchObject({ latencyMs: 350, durationMs: 350, waitedMs: 0 });
  stage.clock.setNow(stage.clock.now() - 800 * 86_400_000);
  await stage.clock.advance(20);
  stage.tools.letGo(waiting.commandId);
  await stage.settle();
  expect(await waiting.result).toMatchObject({ latencyMs: 370, durationMs: 20, waitedMs: 350 });
  expect(stage.auditLines()).toMatchObject([
    { latency_ms: 350, duration_ms: 350 },
    { latency_ms: 370, duration_ms: 20 },
  ]);
});
