import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runReadmeExample } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { aSnapshot } from './testing/index.ts';

test('the example of the README prints what its comments promise', async () => {
  const asked: unknown[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    asked.push([method, url, headers.authorization]);
    response.end(JSON.stringify(aSnapshot().mode));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { printed, promised } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    SIGNALBOX_URL: `http://127.0.0.1:${port}`,
    SIGNALBOX_TOKEN: 'secret',
  });
  expect(asked).toEqual([['GET', '/api/mode', 'Bearer secret']]);
  expect(printed).toEqual(promised);
  expect(promised).not.toEqual([]);
});
