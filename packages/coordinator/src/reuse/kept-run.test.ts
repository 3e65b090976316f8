import { createHash } from 'node:crypto';
import { ContentHash, type Execution, type Stamps, type TreeStamp } from '@signalbox/core';
import { aCommandRecord } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution } from '../testing/coordinator-harness.ts';
import { keptRunOf } from './kept-run.ts';

const OVERLAY = { ...anExecution().isolation, layer: 'overlay' } as const;

function hashOf(text: string): ContentHash {
  return ContentHash.parse(createHash('sha256').update(text).digest('hex'));
}

function stampOf(states: Readonly<Record<string, string>>): TreeStamp {
  return { digest: JSON.stringify(states), states: new Map(Object.entries(states)) };
}

const BEFORE = { '.': 'directory,1 5', 'src/a': 'file,1 5', out: 'directory,2 5', 'out/old': 'file,9 1' };
/** A build that wrote one file below a folder that git ignores. */
const BUILT = { ...BEFORE, out: 'directory,2 6', 'out/new': 'file,3 7' };
const CHANGES = [{ path: 'out/new', kind: 'created', hash: hashOf('built') }] as const;

async function isKept(
  execution: Partial<Execution>,
  after: Readonly<Record<string, string>> = BEFORE,
  stamps: Partial<Stamps> = {},
): Promise<boolean> {
  const kept = await keptRunOf(
    { record: aCommandRecord(), execution: anExecution(execution), before: stampOf(BEFORE) },
    {
      stamps: {
        take: async () => null,
        ignored: async () => (path) => path.startsWith('out/'),
        hashOf: async () => hashOf('built'),
        ...stamps,
      },
      stampNow: async () => stampOf(after),
      endedAt: 5,
    },
  );
  return kept !== null;
}

const exited = (exitCode: number) => ({ ended: { kind: 'exited', exitCode } }) as const;

test('the result of a run that ended by itself on unchanged files is kept, also of failed tests', async () => {
  expect([await isKept({}), await isKept(exited(1))]).toEqual([true, true]);
});

test.for<[string, Partial<Execution>]>([
  ['stopped', { ended: { kind: 'stopped' } }],
  ['timed out', { ended: { kind: 'timed_out', timeoutMs: 5 } }],
  ['killed', { ended: { kind: 'signalled', signal: 'SIGKILL' } }],
  ['killed inside a shell', exited(137)],
  ['not started: no such program', exited(127)],
  ['limited', { limitsReached: [{ limit: 'max_memory_mb', allowed: 1, used: 1 }] }],
  ['with the network', { network: [{ target: 'a:443', outcome: 'reached', why: null, at: 1 }] as never }],
  ['that changed git', { git: ['HEAD'] }],
  ['without confinement', { isolation: { ...OVERLAY, layer: 'none' } }],
  ['in a container', { isolation: { ...OVERLAY, layer: 'container' } }],
])('a run is not kept: %s', async ([, execution]) => {
  expect(await isKept(execution)).toBe(false);
});

test('a run that only wrote what git ignores is kept, if nobody else changed anything', async () => {
  const execution = { isolation: OVERLAY, changes: [...CHANGES] };
  expect(await isKept(execution, BUILT)).toBe(true);
  expect(await isKept(execution, { ...BUILT, 'src/a': 'file,1 6' })).toBe(false);
  expect(await isKept(execution, { ...BUILT, 'out/other': 'file,8 6' })).toBe(false);
  const { 'out/old': _, ...withoutOld } = BUILT;
  expect(await isKept(execution, withoutOld)).toBe(false);
  expect(await isKept(execution, { ...BUILT, '.': 'directory,7 5' })).toBe(false);
  expect(await isKept(execution, BUILT, { hashOf: async () => hashOf('edited') })).toBe(false);
  expect(await isKept(execution, BUILT, { ignored: async () => () => false })).toBe(false);
  expect(await isKept({ ...execution, isolation: anExecution().isolation }, BUILT)).toBe(false);
  expect(await isKept({ isolation: OVERLAY }, BUILT)).toBe(false);
});

test('a new folder, and one in another’s place, count too: they must be ignored', async () => {
  const execution = { isolation: OVERLAY, changes: [...CHANGES] };
  expect(await isKept(execution, { ...BUILT, 'out/deep': 'directory,4 6' })).toBe(true);
  expect(await isKept(execution, { ...BUILT, out: 'directory,3 6' })).toBe(true);
  expect(await isKept(execution, { ...BUILT, deep: 'directory,4 6' })).toBe(false);
});
