import {
  type Claim,
  EMPTY_OUTPUT,
  type Execution,
  type ExecutionRequest,
  pathResource,
  readClaim,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import {
  aQueueEntry,
  aShellRequest,
  createManualClock,
  createMemoryScheduler,
} from '@signalbox/core/testing';
import { describe, expect, test } from 'vitest';
import { rerunInConflict, type RerunOptions } from './rerun.ts';

const [WROTE, READ] = [writeClaim(pathResource('a')), readClaim(pathResource('b'))];
const off = { strength: 'off' } as const;
const COMPLETED: Execution = {
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
const CONFLICT = {
  kind: 'conflict',
  exitCode: 0,
  conflicts: [{ path: 'c', ours: null, theirs: null }],
  why: ['c: changed'],
} as const;
const IN_CONFLICT: Execution = { ...COMPLETED, ended: CONFLICT };

/** @param conflicts How many runs after the first end in a conflict too. */
async function settle(
  conflicts: number,
  more: { readonly request?: Partial<ExecutionRequest> } & Partial<RerunOptions> = {},
): Promise<{ last: Execution; exchanged: (readonly Claim[])[]; learned: (readonly Claim[])[] }> {
  const exchanged: (readonly Claim[])[] = [];
  const learned: (readonly Claim[])[] = [];
  let runs = 0;
  const scheduler = createMemoryScheduler(createManualClock());
  const granted = await scheduler.enqueue(aQueueEntry());
  if (granted.kind !== 'granted') throw new Error('a free resource was not granted');
  const last = await rerunInConflict(aShellRequest('x', { network: 'off', ...more.request }), IN_CONFLICT, {
    heldAtStart: [READ],
    hold: {
      lease: () => undefined,
      exchange: async (claims) => (exchanged.push(claims), granted.lease),
    },
    signal: new AbortController().signal,
    execute: async () => (runs++ < conflicts ? IN_CONFLICT : COMPLETED),
    written: () => [WROTE],
    maxReruns: 3,
    isStillAllowed: async () => true,
    learn: (claims) => learned.push(claims),
    ...more,
  });
  return { last, exchanged, learned };
}

const CLAIMED = [READ, WROTE, writeClaim(pathResource('c'))];

describe('a transaction in conflict (F-W1)', () => {
  test('runs again with claims on what it held and wrote, and on what was in conflict', async () => {
    const { last, exchanged, learned } = await settle(0);
    expect(exchanged).toEqual([CLAIMED]);
    expect(last).toEqual({ ...COMPLETED, reruns: 1 });
    expect(learned).toEqual([CLAIMED.slice(1)]);
  });

  test('runs alone the last time, and ends in a conflict after it', async () => {
    const { last, exchanged } = await settle(9);
    expect(exchanged).toEqual([CLAIMED, CLAIMED, [writeClaim(WORKSPACE)]]);
    expect(last).toMatchObject({ ended: CONFLICT, reruns: 3 });
  });

  test.for<[string, Parameters<typeof settle>[1]]>([
    ['had the network', { request: { network: 'on' } }],
    ['had some hosts of the network', { request: { network: { hosts: [] } } }],
    ['had a person at its terminal', { request: { terminal: true } }],
    ['is not to be run again', { maxReruns: 0 }],
    ['would not be allowed as things are now', { isStillAllowed: async () => false }],
    ['was stopped meanwhile', { signal: AbortSignal.abort() }],
  ])('does not run again when it %s, but is learned from', async ([, more]) => {
    const { last, exchanged, learned } = await settle(0, more);
    expect(exchanged).toEqual([]);
    expect(last).toEqual(IN_CONFLICT);
    expect(learned).toHaveLength(1);
  });
});
