import {
  type Claim,
  type Clock,
  type CommitAnswer,
  createReadHashes,
  defaultSettings,
  defineTool,
  EMPTY_OUTPUT,
  type Execution,
  type Executor,
  type Lease,
  pathResource,
  type Tool,
  ToolFailure,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import {
  aCommandRecord,
  aQueueEntry,
  aShellRequest,
  createManualClock,
  createMemoryFiles,
  createMemoryInspector,
  createMemoryLogger,
  createMemoryScheduler,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { limitsFor } from '../../judging/limits-for.ts';
import { executeCall } from './execute-call.ts';
import type { ExecuteOptions } from './execute-options.ts';
import type { Hold } from './hold.ts';

const off = { strength: 'off' } as const;
const EXECUTION: Execution = {
  ended: { kind: 'exited', exitCode: 0 },
  stdout: EMPTY_OUTPUT,
  stderr: EMPTY_OUTPUT,
  startedAt: 0,
  durationMs: 1,
  usage: { cpuMs: null, peakMemoryBytes: null },
  isolation: {
    layer: 'overlay',
    fs: off,
    net: off,
    pid: off,
    syscalls: off,
    limits: { cpu: off, memory: off, processes: off, disk: off },
    tracking: off,
  },
};

const NO_RERUNS: ExecuteOptions['reruns'] = {
  maxReruns: 0,
  isStillAllowed: async () => true,
  learn: () => undefined,
};

const shell: Tool = defineTool({
  name: 'shell',
  description: 'Runs a program',
  requestKind: 'bash',
  category: 'execute',
  risk: 'high',
  args: z.unknown(),
  describe: () => 'x',
  effects: () => [],
  async handle(_args, { run }) {
    const execution = await run({ kind: 'shell', line: 'x' });
    return { output: null, execution };
  },
});

type Overrides = Pick<ExecuteOptions, 'executor' | 'hold' | 'scheduler' | 'clock'> & Partial<ExecuteOptions>;

function execute(options: Overrides) {
  return executeCall({
    record: aCommandRecord(),
    tool: shell,
    files: createMemoryFiles({}),
    inspector: createMemoryInspector(createMemoryFiles({})),
    readHashes: createReadHashes(),
    staleWrite: 'refuse',
    outputs: { read: () => Promise.reject(new Error('Nothing was printed')) },
    lines: { tests: null, lint: null },
    env: {},
    limits: aShellRequest('').limits,
    limitSettings: limitsFor(defaultSettings(), {
      tool: shell,
      provider: aCommandRecord().context.provider,
      trust: 'provisional',
      timeoutMs: { call: undefined, tool: 1000 },
    }).limitSettings,
    network: 'off',
    readableHome: [],
    login: null,
    isDenied: null,
    deniedPatterns: [],
    labels: [],
    onConnection: () => undefined,
    judgeWrites: async () => ({ denied: [], withheld: [] }),
    reruns: NO_RERUNS,
    retry: { attempts: 1, waitMs: 0 },
    output: { push: () => undefined, end: () => Promise.resolve() },
    logger: createMemoryLogger(),
    ...options,
  });
}

async function startRuntime() {
  const clock = createManualClock();
  const scheduler = createMemoryScheduler(clock);
  async function take(claim: Claim): Promise<Lease> {
    const granted = await scheduler.enqueue(aQueueEntry({ claims: [claim] }));
    if (granted.kind !== 'granted') throw new Error('not granted');
    return granted.lease;
  }
  return { clock, scheduler, take, lease: await take(writeClaim(pathResource('a'))) };
}

/** Runs a transaction that asks to commit, after `before` has run. */
async function runTransaction(before: (release: () => Promise<void>) => unknown) {
  const { clock, scheduler, lease } = await startRuntime();
  const answers: (CommitAnswer | undefined)[] = [];
  const executor: Executor = {
    isolation: () => Promise.resolve(EXECUTION.isolation),
    async execute(_request, { mayCommit }) {
      await before(() => scheduler.release(lease.leaseId));
      answers.push(await mayCommit?.([{ path: 'a', kind: 'created', hash: null }]));
      return EXECUTION;
    },
  };
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
  const executor: Executor = {
    isolation: () => Promise.resolve(EXECUTION.isolation),
    async execute(_request, { lease }) {
      remaining.push(lease?.remainingMs());
      const ended = { kind: 'conflict', exitCode: 0, conflicts: [], why: [] } as const;
      return remaining.length === 1 ? { ...EXECUTION, ended } : EXECUTION;
    },
  };
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
  const executor: Executor = {
    isolation: () => Promise.resolve(EXECUTION.isolation),
    execute: () => Promise.resolve(EXECUTION),
  };
  // A retry waits for no time here.
  const timer: Clock['timer'] = (ms, run) => {
    if (ms === 0) queueMicrotask(run);
    return ms === 0 ? () => undefined : clock.timer(ms, run);
  };
  const retry = { attempts: 3, waitMs: 0 };
  const { ended } = execute({ executor, scheduler, clock: { ...clock, timer }, hold, tool, retry });
  expect((await ended).outcome.kind).toBe('failed');
  expect(runs).toBe(given.runs);
});
