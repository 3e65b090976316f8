import {
  type CommitAnswer,
  createReadings,
  defineTool,
  EMPTY_OUTPUT,
  type Execution,
  type Executor,
  pathResource,
  type Tool,
  writeClaim,
} from '@signalbox/core';
import {
  aCommandRecord,
  aQueueEntry,
  aShellRequest,
  createManualClock,
  createMemoryFiles,
  createMemoryLogger,
  createMemoryScheduler,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { executeCall } from './execute-call.ts';

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

/** Runs a transaction that asks whether it may put its files, after `before` came between. */
async function runTransaction(before: (release: () => Promise<void>) => unknown) {
  const clock = createManualClock();
  const scheduler = createMemoryScheduler(clock);
  const granted = await scheduler.enqueue(aQueueEntry({ claims: [writeClaim(pathResource('a'))] }));
  if (granted.kind !== 'granted') throw new Error('not granted');
  const { lease } = granted;
  const answers: (CommitAnswer | undefined)[] = [];
  const executor: Executor = {
    isolation: () => Promise.resolve(EXECUTION.isolation),
    async execute(_request, { mayCommit }) {
      await before(() => scheduler.release(lease.leaseId));
      answers.push(await mayCommit?.([{ path: 'a', kind: 'created', hash: null }]));
      return EXECUTION;
    },
  };
  const { ended } = executeCall({
    record: aCommandRecord(),
    tool: shell,
    hold: { lease: () => lease, exchange: () => Promise.reject(new Error('nothing to exchange')) },
    files: createMemoryFiles({}),
    executor,
    scheduler,
    readings: createReadings(),
    lines: { tests: null, lint: null },
    env: {},
    limits: aShellRequest('').limits,
    network: 'off',
    readableHome: [],
    isDenied: null,
    deniedPatterns: [],
    labels: [],
    onConnection: () => undefined,
    whyDenied: () => [],
    onConflict: 'conflict',
    retry: { attempts: 1, waitMs: 0 },
    output: { push: () => undefined, end: () => Promise.resolve() },
    clock,
    logger: createMemoryLogger(),
  });
  return { outcome: (await ended).outcome, answers };
}

test('a transaction may put its files while its lease is the living one', async () => {
  const { outcome, answers } = await runTransaction(() => undefined);
  expect(answers).toEqual([{ kind: 'ok' }]);
  expect(outcome.kind).toBe('completed');
});

test('a transaction whose lease is gone may put nothing, and is told lost', async () => {
  const { outcome, answers } = await runTransaction((release) => release());
  expect(answers).toEqual([{ kind: 'denied', why: [expect.stringContaining('is gone')] }]);
  expect(outcome.kind).toBe('lost');
});
