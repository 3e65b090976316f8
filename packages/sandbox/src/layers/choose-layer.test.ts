import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SandboxError } from '@signalbox/core';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { UNCONFINED } from '../isolation.ts';
import { chooseLayer } from './choose-layer.ts';
import type { Layer } from './layer.ts';

/** On a file system other than the workspace's, where an overlay is impossible. */
let elsewhere: string;
let harness: SandboxHarness;
beforeEach(() => {
  elsewhere = mkdtempSync('/dev/shm/signalbox-');
});
afterEach(async () => {
  await harness.close();
  rmSync(elsewhere, { recursive: true, force: true });
});

const harnessElsewhere = (transactions: 'required' | 'where-possible'): SandboxHarness =>
  createHarness({ transactions, stateFolder: join(elsewhere, 'state') });

test('without an overlay a command writes to the workspace directly, and git reports its changes', async () => {
  harness = harnessElsewhere('where-possible');
  await harness.run('echo old >kept; echo old >gone');
  const done = await harness.run('echo new >made; echo new >kept; rm gone');
  expect(done.isolation).toMatchObject({ layer: 'bind', tracking: { strength: 'sampled' } });
  expect(done.isolation.tracking.why).toContain('Git compared before and after');
  expect(done.isolation.tracking.why).toContain('another file system than the workspace');
  expect(done.changes?.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'deleted gone',
    'modified kept',
    'created made',
  ]);
});

test('nothing runs if transactions are required and an overlay is impossible', async () => {
  harness = harnessElsewhere('required');
  await expect(harness.run('touch ran')).rejects.toMatchObject({
    code: 'sandbox_error',
    why: ['The state folder is on another file system than the workspace'],
  });
});

test('required transactions rule out running without the sandbox', () => {
  expect(() => createHarness({ transactions: 'required', confinement: 'off-by-operator' })).toThrow(
    'the settings require transactions',
  );
  harness = createHarness();
});

test('nothing runs if no layer works, and the error has the reasons of each', async () => {
  harness = createHarness({ transactions: 'where-possible', bubblewrap: join(elsewhere, 'no-bwrap') });
  await expect(harness.run('touch ran')).rejects.toMatchObject({
    code: 'sandbox_error',
    message: 'Cannot run commands: no sandbox layer works on this machine',
    next: ['signalbox doctor'],
  });
});

test.each([
  [0, 'overlay'],
  [2, 'overlay'],
  [Infinity, 'bind'],
] as const)('after %s failed probes of a layer the choice is: %s', async (failures, chosen) => {
  harness = createHarness();
  let probes = 0;
  const layer = (name: Layer['name'], fails: number): Layer => ({
    name,
    run: () => Promise.reject(new SandboxError('Nothing is run here')),
    async probe() {
      if (++probes <= fails) throw new SandboxError('Something was in the way');
      return { ...UNCONFINED, layer: name };
    },
  });
  const { isolation } = await chooseLayer([layer('overlay', failures), layer('bind', 0)]);
  expect(isolation.layer).toBe(chosen);
});

test('the first command reports that the trial before it runs, and no later command does', async () => {
  const reported: string[] = [];
  harness = createHarness({ transactions: 'where-possible', onTrial: () => reported.push('trial') });
  expect(reported).toEqual([]);
  await harness.run('true');
  await harness.run('true');
  expect(reported).toEqual(['trial']);
});
