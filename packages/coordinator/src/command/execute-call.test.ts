import { type Lease, LeaseLostError, type SchedulerListener } from '@signalbox/core';
import { createMemoryScheduler } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution, createStage, FREE } from '../testing/coordinator-stage.ts';

const GONE = new Error('gone');

test('a handler that throws ends hidden from the model and told to log and audit (V3, X-16)', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const submitted = stage.submit(coordinator, 'broken', { text: 'x' });
  const { content } = await submitted.result;
  expect(content).toContain(submitted.commandId);
  expect(content).not.toContain('secret inside');
  expect(stage.auditLines().at(-1)).toMatchObject({ error_detail: 'Error: secret inside: x' });
  expect(stage.logger.lines.map(({ message }) => message)).toContain('tool handler failed');
});

test('a running command is cancelled when its handler has stopped; the first reason counts', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const submitted = stage.submit(coordinator, 'hold', { path: 'a' });
  await submitted.resting;
  await stage.settle();
  expect(await coordinator.cancel(submitted.commandId, 'ana', 'enough')).toEqual({ kind: 'stopping' });
  void coordinator.cancel(submitted.commandId, 'ben', 'too');
  expect((await submitted.result).failure?.message).toBe('Cancelled by ana: enough');
  expect(await stage.endingOf(submitted)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(stage.files.texts()).toEqual({});
});

test('a handler that ignores the stop is given up after a while, and what it does later changes nothing', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const submitted = stage.submit(coordinator, 'deaf', { path: 'a' });
  await submitted.resting;
  await stage.settle();
  await coordinator.cancel(submitted.commandId, 'ana', 'enough');
  await stage.clock.advance(9999);
  expect(submitted.status).toBe('running');
  await stage.clock.advance(1);
  expect((await submitted.result).outcome.kind).toBe('cancelled');
  expect((await stage.scheduler().snapshot()).leases).toEqual([]);
  stage.tools.letGo(submitted.commandId);
  await stage.settle();
  expect(stage.files.texts()).toEqual({});
  expect(stage.requests).toEqual([]);
  await coordinator.close();
});

test('a command whose process does not die keeps its lease until it does', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const process = Promise.withResolvers<ReturnType<typeof anExecution>>();
  stage.setProgram(() => process.promise);
  const submitted = stage.submit(coordinator, 'shell', { line: 'echo a > a.txt' });
  await submitted.resting;
  await stage.settle();
  await coordinator.cancel(submitted.commandId, 'ana');
  for (let n = 0; n < 6; n++) await stage.clock.advance(10_000);
  expect(submitted.status).toBe('running');
  expect((await stage.scheduler().snapshot()).leases).toHaveLength(1);
  process.resolve(anExecution({ ended: { kind: 'stopped' } }));
  expect((await submitted.result).outcome.kind).toBe('cancelled');
  expect((await stage.scheduler().snapshot()).leases).toEqual([]);
});

test('a lease is renewed at a third of its life while the command runs, and no longer', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const renewals: number[] = [];
  stage.setFaults((_port, method) => {
    if (method === 'renew') renewals.push(stage.clock.monotonic());
    return undefined;
  });
  const submitted = stage.submit(coordinator, 'hold', { path: 'a' }, { timeoutMs: 600_000 });
  await submitted.resting;
  await stage.clock.advance(29_999);
  expect(renewals).toEqual([10_000, 20_000]);
  await stage.clock.advance(5000);
  stage.tools.letGo(submitted.commandId);
  await submitted.result;
  await stage.clock.advance(60_000);
  expect(renewals).toEqual([10_000, 20_000, 30_000]);
});

test('a lost lease stops the handler, and the command is lost, whatever the handler says', async () => {
  for (const tool of ['hold', 'deaf']) {
    const stage = createStage(FREE);
    const coordinator = await stage.start();
    stage.setFaults((_port, method) => (method === 'renew' ? new LeaseLostError('gone') : undefined));
    const submitted = stage.submit(coordinator, tool, { path: 'a' });
    await submitted.resting;
    await stage.clock.advance(10_000);
    if (tool === 'deaf') stage.tools.letGo(submitted.commandId);
    expect((await submitted.result).outcome.kind).toBe('lost');
    expect(await stage.endingOf(submitted)).toEqual(['lost', 'lost', 'lost']);
    expect((await stage.scheduler().snapshot()).leases).toEqual([]);
  }
});

test('a scheduler that can’t be reached for two thirds of a lease’s life counts as a lost lease', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  stage.setFaults((_port, method) => (method === 'renew' ? GONE : undefined));
  const submitted = stage.submit(coordinator, 'hold', { path: 'a' });
  await submitted.resting;
  await stage.clock.advance(10_000);
  expect(submitted.status).toBe('running');
  await stage.clock.advance(10_000);
  expect((await submitted.result).outcome.kind).toBe('lost');
});

test('the scheduler’s word that a lease is lost stops the command at once, even before it has begun', async () => {
  for (const early of [true, false]) {
    const stage = createStage(FREE);
    const scheduler = createMemoryScheduler(stage.clock);
    let listener: SchedulerListener | undefined;
    const leases: Lease[] = [];
    const coordinator = await stage.start({
      scheduler: {
        ...scheduler,
        listen: (hearer) => scheduler.listen((listener = hearer)),
        async enqueue(entry) {
          const answer = await scheduler.enqueue(entry);
          if (answer.kind === 'granted') leases.push(answer.lease);
          if (answer.kind === 'granted' && early) listener?.lost(answer.lease);
          return answer;
        },
      },
    });
    const submitted = stage.submit(coordinator, 'hold', { path: 'a' });
    await stage.settle();
    const [lease] = leases;
    if (!early && lease !== undefined) listener?.lost(lease);
    expect((await submitted.result).outcome.kind).toBe('lost');
    expect((await scheduler.snapshot()).leases).toEqual([]);
    expect(stage.clock.monotonic()).toBe(0);
  }
});

test('a handler that starts nothing is bounded too', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const submitted = stage.submit(coordinator, 'hold', { path: 'a' }, { timeoutMs: 5000 });
  await submitted.resting;
  await stage.clock.advance(6000);
  expect((await submitted.result).outcome).toMatchObject({
    kind: 'timed_out',
    failure: { category: 'Timeout' },
  });
});

test('only a retryable tool is tried again, only after a transient failure, and not when it was cancelled', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const tried = stage.submit(coordinator, 'flaky', { text: 'a', times: 1 });
  await tried.resting;
  await stage.settle();
  expect(stage.tools.handled).toHaveLength(1);
  await stage.clock.advance(500);
  expect((await tried.result).success).toBe(true);
  expect(stage.tools.handled).toHaveLength(2);

  const never = stage.submit(coordinator, 'flaky', { text: 'a', times: 100 });
  await never.resting;
  await stage.clock.advance(5000);
  expect((await never.result).failure?.code).toBe('busy');
  expect(stage.tools.handled).toHaveLength(4);

  const cancelledInPause = stage.submit(coordinator, 'flaky', { text: 'a', times: 100 });
  await cancelledInPause.resting;
  await stage.settle();
  await coordinator.cancel(cancelledInPause.commandId, 'ana');
  expect((await cancelledInPause.result).outcome.kind).toBe('cancelled');
  expect(stage.tools.handled).toHaveLength(5);

  const broken = stage.submit(coordinator, 'broken', { text: 'a' });
  expect((await broken.result).outcome.kind).toBe('failed');
});
