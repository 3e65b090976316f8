import { runReadmeExample } from '@signalbox/core/testing';
import { expect, test } from 'vitest';

test('the example of the README prints what its comments promise', async () => {
  const { printed, promised } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(printed).toEqual(promised);
  expect(promised).not.toEqual([]);
});
