import {
  type Claim,
  createReadHashes,
  defaultSettings,
  defineTool,
  type Executor,
  type Lease,
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
  createMemoryInspector,
  createMemoryLogger,
  createMemoryScheduler,
} from '@signalbox/core/testing';
import * as z from 'zod';
import { executeCall, type RunningCall } from '../command/running/execute-call.ts';
import type { ExecuteOptions } from '../command/running/execute-options.ts';
import { limitsFor } from '../judging/limits-for.ts';
import { createRetryBudgets } from '../retry/retry-budgets.ts';
import { anExecution } from './coordinator-harness.ts';

export const NO_RERUNS: ExecuteOptions['reruns'] = {
  maxReruns: 0,
  isStillAllowed: async () => true,
  learn: () => undefined,
};

/** Runs one line, which its executor decides about. */
export const shell: Tool = toolOf(async (_args, { run }) => {
  const execution = await run({ kind: 'shell', line: 'x' });
  return { output: null, execution };
});

export function toolOf(handle: Tool['handle']): Tool {
  return defineTool({
    name: 'shell',
    description: 'Runs a program',
    requestKind: 'bash',
    category: 'execute',
    risk: 'high',
    args: z.unknown(),
    describe: () => 'x',
    effects: () => [],
    handle,
  });
}

/** An executor with one program. */
export function executorOf(program: Executor['execute'] = async () => anExecution()): Executor {
  return { isolation: () => Promise.resolve(anExecution().isolation), execute: program };
}

type Given = Pick<ExecuteOptions, 'hold' | 'scheduler' | 'clock'> & Partial<ExecuteOptions>;

/** Retries after that wait, within a budget of their own. */
export function retriesOf(maxAttempts: number, waitMs = 0): ExecuteOptions['retry'] {
  return {
    policy: { maxAttempts, baseMs: waitMs, maxMs: waitMs, budgetMs: waitMs * maxAttempts },
    budget: createRetryBudgets().of('a'),
    random: (length) => new Uint8Array(length).fill(255),
  };
}

/** Runs a call with the given parts, and plain ones for the others. */
export function execute(given: Given): RunningCall {
  return executeCall({
    record: aCommandRecord(),
    tool: shell,
    executor: executorOf(),
    files: createMemoryFiles({}),
    inspector: createMemoryInspector(createMemoryFiles({})),
    readHashes: createReadHashes(),
    staleWrite: 'refuse',
    outputs: { read: () => Promise.reject(new Error('Nothing was printed')) },
    findTools: async () => [],
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
    retry: retriesOf(1),
    output: { push: () => undefined, end: () => Promise.resolve() },
    logger: createMemoryLogger(),
    ...given,
  });
}

/** A scheduler on a manual clock, and a lease on one file. */
export async function startRuntime() {
  const clock = createManualClock();
  const scheduler = createMemoryScheduler(clock);
  async function take(claim: Claim): Promise<Lease> {
    const granted = await scheduler.enqueue(aQueueEntry({ claims: [claim] }));
    if (granted.kind !== 'granted') throw new Error('not granted');
    return granted.lease;
  }
  return { clock, scheduler, take, lease: await take(writeClaim(pathResource('a'))) };
}

/** A running call that holds its lease throughout. */
export async function startCall(given: Partial<ExecuteOptions> = {}) {
  const { clock, scheduler, lease } = await startRuntime();
  const logger = createMemoryLogger();
  const hold: ExecuteOptions['hold'] = {
    lease: () => lease,
    exchange: () => Promise.reject(new Error('nothing to exchange')),
  };
  const timersBefore = clock.pendingTimers();
  const call = execute({ clock, scheduler, hold, logger, ...given });
  const ownTimers = (): number => clock.pendingTimers() - timersBefore;
  return { clock, scheduler, lease, logger, call, ownTimers };
}
