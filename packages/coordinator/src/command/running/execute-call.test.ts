import {
  type Clock,
  type CommitAnswer,
  type Lease,
  type Tool,
  ToolFailure,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import { anExecution } from '../../testing/coordinator-harness.ts';
import {
  execute,
  executorOf,
  NO_RERUNS,
  retriesOf,
  shell,
  startRuntime,
} from '../../testing/running-call.ts';
import type { Hold } from './hold.ts';

/** Runs a transaction that asks to commit, after `before` has run. */
async function runTransaction(before: (release: () => Promise<void>) => unknown) {
  const { clock, scheduler, lease } = await startRuntime();
  const answers: (CommitAnswer | undefined)[] = [];
  const executor = executorOf(async (_request, { mayCommit }) => {
    await before(() => scheduler.release(lease.leaseId));
    answers.push(await mayCommit?.([{ path: 'a', kind: 'created', hash: null }]));
    return anExecution();
  });
  const hold: Hold = { lease: () => lease, exchange: () => Promise.reject(new Error('nothing to exchange')) };
  const { ended } = execute({ executor, scheduler, clock, hold });
  return { outcome: (await ended).outcome, answers };
}

test('a transaction may commit while its lease is alive', async () => {
  const { outcome, answers } = await runTransaction(() => undefined);
  expect(answers).toEqual([{ kind: 'ok' }]);
  expect(outcome.kind).toBe('completed');
});

test('a transaction whose lease is gone may not commit, and ends as lost', async () => {
  const { outcome, answers } = await runTransaction((release) => release());
  expect(answers).toEqual([{ kind: 'denied', why: [expect.stringContaining('is gone')] }]);
  expect(outcome.kind).toBe('lost');
});

test('a transaction that continues after a long wait has the whole time to live of its new lease', async () => {
  const { clock, scheduler, take, lease: first } = await startRuntime();
  const waitedMs = 10 * scheduler.leaseTtlMs;
  const remaining: (number | undefined)[] = [];
  const executor = executorOf(async (_request, { lease }) => {
    remaining.push(lease?.remainingMs());
    const ended = { kind: 'conflict', exitCode: 0, conflicts: [], why: [] } as const;
    return anExecution(remaining.length === 1 ? { ended } : {});
  });
  let held: Lease | undefined = first;
  const hold: Hold = {
    lease: () => held,
    async exchange() {
      await scheduler.release(first.leaseId);
      held = undefined;
      await clock.advance(waitedMs);
      return (held = await take(writeClaim(WORKSPACE)));
    },
  };
  const { ended } = execute({ executor, scheduler, clock, hold, reruns: { ...NO_RERUNS, maxReruns: 3 } });
  expect((await ended).outcome.kind).toBe('completed');
  expect(remaining).toEqual([scheduler.leaseTtlMs, scheduler.leaseTtlMs]);
});

test.each([
  { retryable: false, runs: 1 },
  { retryable: true, runs: 3 },
])('a transient failure is retried only if its tool is retryable: $retryable (H6, X-17)', async (given) => {
  const { clock, scheduler, lease } = await startRuntime();
  let runs = 0;
  const tool: Tool = {
    ...shell,
    retryable: given.retryable,
    handle() {
      runs += 1;
      return Promise.reject(
        new ToolFailure({ code: 'away', category: 'NetworkError', message: 'The server is away' }),
      );
    },
  };
  const hold: Hold = { lease: () => lease, exchange: () => Promise.reject(new Error('nothing to exchange')) };
  // A retry waits for no time here.
  const timer: Clock['timer'] = (ms, run) => {
    if (ms === 0) queueMicrotask(run);
    return ms === 0 ? () => undefined : clock.timer(ms, run);
  };
  const retry = retriesOf(3);
  const { ended } = execute({ scheduler, clock: { ...clock, timer }, hold, tool, retry });
  expect((await ended).outcome.kind).toBe('failed');
  expect(runs).toBe(given.runs);
});
