import { ProviderError } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultServer, sendJson, startFaultServer } from '../testing/fault-server.ts';
import { createOpenAIEmbedder } from './openai-embedder.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const embedder = (apiKey = 'sk-secret-key') =>
  createOpenAIEmbedder({
    id: 'some',
    model: 'small',
    apiKey,
    baseUrl: `${server.url}/v1`,
    clock: createManualClock(),
  });
const { signal } = new AbortController();

test('embed() sends the texts to /v1/embeddings, and returns their vectors in order (S001-73)', async () => {
  server.answer(
    sendJson(200, {
      object: 'list',
      data: [
        { index: 1, embedding: [0, 1], object: 'embedding' },
        { index: 0, embedding: [1, 0], object: 'embedding' },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    }),
  );
  const counted: number[] = [];
  const onTokens = (count: number): void => void counted.push(count);
  expect(await embedder().embed(['a', 'b'], { signal, onTokens })).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(counted).toEqual([7]);
  const [request] = server.received;
  expect([request?.path, request?.headers['authorization'], request?.body]).toEqual([
    '/v1/embeddings',
    'Bearer sk-secret-key',
    { model: 'small', input: ['a', 'b'], encoding_format: 'float' },
  ]);
});

test('embed() sends many texts in several requests, and an absent vector is empty', async () => {
  const data = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ index, embedding: [count] }));
  server.answer(sendJson(200, { data: data(64) }), sendJson(200, { data: data(5) }));
  const texts = Array.from({ length: 70 }, (_, n) => `text ${n}`);
  const vectors = await embedder().embed(texts, { signal });
  expect(vectors.map(([first]) => first)).toEqual([
    ...Array.from({ length: 64 }, () => 64),
    ...Array.from({ length: 5 }, () => 5),
    undefined,
  ]);
});

test.each([
  ['a server error', 500, { error: { message: 'out of memory' } }, 'ServerError'],
  ['a refused key', 401, { error: { message: 'sk-secret-key is wrong' } }, 'Auth'],
  ['an answer without embeddings', 200, { data: [{ index: 0, embedding: 'AAAA' }] }, 'Protocol'],
])('embed() reports %s without the key', async (_, status, body, kind) => {
  server.answer(sendJson(status, body));
  const error: unknown = await embedder()
    .embed(['a'], { signal })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProviderError);
  expect(error).toMatchObject({
    kind,
    message: expect.stringContaining('Cannot get embeddings from "some"'),
  });
  expect(String(error)).not.toContain('sk-secret-key');
});

test('embed() stops reading an answer that has no end', async () => {
  const piece = ' '.repeat(1024 ** 2);
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  server.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.once('close', closed.resolve);
    const send = (): void => {
      if (response.destroyed) return;
      sent += 1;
      if (response.write(piece)) setImmediate(send);
      else response.once('drain', send);
    };
    send();
  });
  await expect(embedder().embed(['a'], { signal })).rejects.toBeInstanceOf(ProviderError);
  await closed.promise;
  expect(sent).toBeLessThan(200);
});
