import { existsSync, mkdirSync, rmdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findCgroups } from './cgroup.ts';

test('a group counts what its processes use, and remove() deletes it', async ({ skip }) => {
  const create = findCgroups() ?? skip('this machine lets us make no groups');
  const group = create();
  group.limit({ memoryBytes: 2 ** 28, processes: 10, cpuPercent: 50 });
  expect(group.usage()).toEqual({
    cpuMs: 0,
    peakMemoryBytes: expect.any(Number),
    ranOutOfMemory: false,
    throttledMs: 0,
    refusedProcesses: 0,
  });
  await group.remove();
  expect(() => group.usage()).toThrow('ENOENT');
});

test('groups of dead processes are removed, and young ones are kept even if our clock is a day ahead', async ({
  skip,
}) => {
  const [prefix = ''] = (findCgroups() ?? skip('this machine lets us make no groups')).prefixes;
  const [old, young] = ['old', 'young'].map((age) =>
    join(dirname(prefix), `signalbox-${process.pid}-${age}`),
  ) as [string, string];
  for (const folder of [old, young]) {
    mkdirSync(folder);
    onTestFinished(() => {
      if (existsSync(folder)) rmdirSync(folder);
    });
  }
  const twoMinutesAgo = Date.now() / 1000 - 120;
  utimesSync(old, twoMinutesAgo, twoMinutesAgo);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  findCgroups();
  await vi.waitUntil(() => !existsSync(old), { timeout: 30_000 });
  expect(existsSync(young)).toBe(true);
});
