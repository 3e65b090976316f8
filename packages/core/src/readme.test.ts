import { expect, test } from 'vitest';
import { runReadmeExample } from './testing/readme-example.ts';

test('the example of the README prints what its comments promise', async () => {
  const { printed, promised } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(printed).toEqual(promised);
  expect(promised).not.toEqual([]);
});
