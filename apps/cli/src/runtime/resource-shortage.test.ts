import { expect, test } from 'vitest';
import { lackOf, lackOfDisk, lackOfMemory } from './resource-shortage.ts';

const MIB = 1024 * 1024;

test('less than 64 MB of free disk is reported, with how much is left', () => {
  expect(lackOf(63.9 * MIB, 'of memory')).toBe('only 63 MiB of memory left');
  expect(lackOf(64 * MIB, 'of memory')).toBeUndefined();
});

test('a machine that runs tests has enough disk and memory', async () => {
  expect(await lackOfDisk('.')).toBeUndefined();
  expect(await lackOfMemory()).toBeUndefined();
});
