import { runReadmeExample } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startRedisServer } from './testing/redis-server.ts';

test('the example of the README prints what its comments promise', async () => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const { printed, promised } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    REDIS_URL: server.url,
  });
  expect(printed).toEqual(promised);
  expect(promised).not.toEqual([]);
});
