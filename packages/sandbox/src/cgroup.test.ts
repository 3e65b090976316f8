import { expect, test } from 'vitest';
import { findCgroups } from './cgroup.ts';

test('a group counts what its processes use, and is gone when it is removed', async ({ skip }) => {
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
