import { aShellRequest } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { defaultMemoryBytes, withMemoryBound } from './bounded-limits.ts';
import { machineMemoryBytes } from './machine-memory.ts';

const GIB = 1024 ** 3;

test.each([
  [64, 32],
  [16, 8],
  [8, 4],
  [6, 4],
  [5, 4],
  [4, 3],
  [2, 1],
  [1, 0.5],
])('a machine of %d GiB gives a command %d GiB by default (U-B2)', (machine, limit) => {
  expect(defaultMemoryBytes(machine * GIB)).toBe(limit * GIB);
});

test.each([
  ['a container with a limit', 2 * GIB, 2 * GIB],
  ['no limit, answered as 0', 0, 16 * GIB],
  ['no limit, answered as a number beyond the machine', 2 ** 64, 16 * GIB],
])('the memory of the machine in %s', (_, constrained, expected) => {
  expect(machineMemoryBytes(16 * GIB, constrained)).toBe(expected);
});

test('a limit set by a request is kept', () => {
  const { limits } = aShellRequest('true');
  expect(withMemoryBound(aShellRequest('true', { limits: { ...limits, memoryBytes: 5 } })).limits).toEqual({
    ...limits,
    memoryBytes: 5,
  });
});
