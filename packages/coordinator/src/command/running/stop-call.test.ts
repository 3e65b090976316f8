import { InvariantError, type Tool, ToolFailure } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution } from '../../testing/coordinator-harness.ts';
import {
  execute,
  executorOf,
  retriesOf,
  shell,
  startCall,
  startRuntime,
  toolOf,
} from '../../testing/running-call.ts';
import type { Interruption } from '../outcome/outcome-of.ts';
import type { Hold } from './hold.ts';

const CANCEL: Interruption = { kind: 'cancelled', by: 'ana', reason: 'enough' };
const FIVE_SECONDS = { ...aShellRequest('').limits, timeoutMs: 5000 };
const AWAY = new ToolFailure({ code: 'away', category: 'NetworkError', message: 'The server is away' });

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Works until it is stopped. */
const obedient = toolOf((_args, { signal }) => {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
});

/** The outcome, or undefined while the call runs. */
async function outcomeSoFar(call: Awaited<ReturnType<typeof startCall>>['call']) {
  const ran = await Promise.race([
    call.ended,
    new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
  ]);
  return ran?.outcome;
}

test('the first reason to stop a call counts, and “now” kills its program whenever it comes', async () => {
  const stopped: string[] = [];
  const executor = executorOf(async (_request, { signal, kill }) => {
    signal.addEventListener('abort', () => stopped.push('stop'));
    await new Promise((resolve) => kill?.addEventListener('abort', resolve));
    return anExecution({ ended: { kind: 'stopped' } });
  });
  const { call } = await startCall({ executor });
  call.interrupt(CANCEL);
  expect(stopped).toEqual(['stop']);
  expect(await outcomeSoFar(call)).toBeUndefined();
  call.interrupt({ kind: 'cancelled', by: 'ben', reason: 'at last' }, 'now');
  expect((await call.ended).outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: 'Cancelled by ana: enough' },
  });
});

test('a handler that ignores the stop is given up after 10 s, with a line in the log', async () => {
  const { call, clock, logger } = await startCall({ tool: toolOf(never) });
  call.interrupt(CANCEL);
  await clock.advance(9999);
  expect(await outcomeSoFar(call)).toBeUndefined();
  await clock.advance(1);
  expect(await call.ended).toEqual({
    outcome: expect.objectContaining({ kind: 'cancelled' }),
    answer: undefined,
  });
  expect(logger.lines).toEqual([
    {
      level: 'error',
      facts: { commandId: expect.stringMatching(/^cmd_/), tool: 'shell' },
      message: 'tool handler ignored the stop',
    },
  ]);
});

test('a handler that ignores the stop is given up only when its programs are dead', async () => {
  const dead = Promise.withResolvers<never>();
  const { call, clock } = await startCall({
    executor: executorOf(() => dead.promise),
    tool: toolOf((_args, { run }) => run({ kind: 'shell', line: 'x' }).then(never, never)),
  });
  call.interrupt(CANCEL);
  await clock.advance(60_000);
  expect(await outcomeSoFar(call)).toBeUndefined();
  dead.reject(new Error('its sandbox is gone'));
  expect((await call.ended).outcome.kind).toBe('cancelled');
});

test('a handler that was stopped starts no program any more', async () => {
  const go = Promise.withResolvers<void>();
  const started: string[] = [];
  const errors: unknown[] = [];
  const { call, clock } = await startCall({
    executor: executorOf(async () => {
      started.push('a program');
      return anExecution();
    }),
    tool: toolOf(async (_args, { run }) => {
      await go.promise;
      await run({ kind: 'shell', line: 'x' }).catch((error: unknown) => errors.push(error));
      return { output: null };
    }),
  });
  call.interrupt(CANCEL);
  await clock.advance(10_000);
  await call.ended;
  go.resolve();
  await clock.advance(0);
  expect(started).toEqual([]);
  expect(errors).toEqual([
    new ToolFailure({ code: 'stopped', category: 'Cancelled', message: 'The command was stopped' }),
  ]);
  expect(errors).toMatchObject([{ code: 'stopped', category: 'Cancelled' }]);
});

test('a handler that has answered starts no program any more', async () => {
  const signals: AbortSignal[] = [];
  const { call } = await startCall({
    tool: toolOf(async (_args, { signal }) => {
      signals.push(signal);
      return { output: null };
    }),
  });
  await call.ended;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a call that has ended leaves no timer', async () => {
  const { call, ownTimers } = await startCall();
  expect(ownTimers()).toBe(2);
  call.interrupt(CANCEL);
  expect(ownTimers()).toBe(3);
  await call.ended;
  expect(ownTimers()).toBe(0);
});

test('a handler without a program is stopped when its time is over, a second after the executor would', async () => {
  const { call, clock } = await startCall({ tool: obedient, limits: FIVE_SECONDS });
  await clock.advance(5999);
  expect(await outcomeSoFar(call)).toBeUndefined();
  await clock.advance(1);
  expect((await call.ended).outcome).toMatchObject({
    kind: 'timed_out',
    failure: { message: expect.stringContaining('Killed: still running after 5s') },
  });
});

test('waiting for other claims does not count as its own time, and the rest of it begins again', async () => {
  const { clock, scheduler, lease } = await startRuntime();
  const exchanged = Promise.withResolvers<typeof lease>();
  const hold: Hold = { lease: () => lease, exchange: () => exchanged.promise };
  const dead = Promise.withResolvers<void>();
  const executor = executorOf(async (_request, { mayCommit, signal }) => {
    await mayCommit?.([{ path: 'elsewhere', kind: 'created', hash: null }]);
    signal.addEventListener('abort', () => dead.resolve());
    await dead.promise;
    return anExecution({ ended: { kind: 'stopped' } });
  });
  const call = execute({ clock, scheduler, hold, executor, limits: FIVE_SECONDS });
  // It asks for the claims before its time is over.
  await clock.advance(0);
  await clock.advance(60_000);
  expect(await outcomeSoFar(call)).toBeUndefined();
  exchanged.resolve(lease);
  await clock.advance(0);
  await clock.advance(5999);
  expect(await outcomeSoFar(call)).toBeUndefined();
  await clock.advance(1);
  expect((await call.ended).outcome.kind).toBe('timed_out');
});

test('a call whose lease can’t be renewed any more is stopped and ends as lost', async () => {
  const { call, clock, scheduler, lease } = await startCall({ tool: obedient });
  await scheduler.release(lease.leaseId);
  await clock.advance(scheduler.leaseTtlMs / 3);
  expect((await call.ended).outcome.kind).toBe('lost');
});

test('a cancel ends the wait for a retry at once', async () => {
  let runs = 0;
  const tool: Tool = {
    ...shell,
    retryable: true,
    handle() {
      runs += 1;
      return Promise.reject(AWAY);
    },
  };
  const { call, clock, ownTimers } = await startCall({ tool, retry: retriesOf(2, 60_000) });
  await clock.advance(1);
  expect(await outcomeSoFar(call)).toBeUndefined();
  call.interrupt(CANCEL);
  expect(await call.ended).toEqual({
    outcome: expect.objectContaining({ kind: 'cancelled' }),
    answer: undefined,
  });
  expect({ runs, timers: ownTimers() }).toEqual({ runs: 1, timers: 0 });
});

test('a retry waits as long as the settings say', async () => {
  let runs = 0;
  const tool: Tool = {
    ...shell,
    retryable: true,
    async handle() {
      runs += 1;
      if (runs === 1) throw AWAY;
      return { output: 'here' };
    },
  };
  const { call, clock } = await startCall({ tool, retry: retriesOf(3, 500) });
  await clock.advance(0);
  await clock.advance(499);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(await call.ended).toMatchObject({ outcome: { kind: 'completed' }, answer: { output: 'here' } });
  expect(runs).toBe(2);
});

test.each<[string, Error, Interruption | undefined, boolean]>([
  ['a failure meant for the model', AWAY, undefined, false],
  ['a failure meant for the model, after a cancel', AWAY, CANCEL, false],
  ['an internal error', new InvariantError('Cannot be'), undefined, true],
  ['a bug', new TypeError('x is undefined'), undefined, true],
  ['a bug after a cancel', new TypeError('x is undefined'), CANCEL, true],
])(
  'the log has the details of what a model is not shown: %s (V3)',
  async (_name, error, interruption, isLogged) => {
    const go = Promise.withResolvers<void>();
    const tool = toolOf(async () => {
      await go.promise;
      throw error;
    });
    const { call, logger } = await startCall({ tool });
    if (interruption !== undefined) call.interrupt(interruption);
    go.resolve();
    expect((await call.ended).answer).toBeUndefined();
    const line = {
      level: 'error',
      facts: { commandId: expect.stringMatching(/^cmd_/), tool: 'shell', error },
      message: 'tool handler failed',
    };
    expect(logger.lines).toEqual(isLogged ? [line] : []);
  },
);
