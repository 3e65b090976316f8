import { createServer, type IncomingMessage } from 'node:http';
import { createManualClock } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createAnthropicMessages } from '../anthropic-messages/anthropic-messages.ts';
import { createOpenAIChat } from '../openai-chat/openai-chat.ts';
import { createOpenAIEmbedder } from '../openai-embeddings/openai-embedder.ts';
import { turnError } from '../testing/run-turn.ts';

const KEY = 'sk-proj-very-secret-0123456789';

async function startServer(answer: (at: string) => readonly [number, object]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(...(answer(request.url ?? '') as [number, Record<string, string>])).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, requests };
}

test.each([301, 302, 307, 308])(
  'status %i leads no request, and so no key, to another server',
  async (status) => {
    const other = await startServer(() => [200, {}]);
    const own = await startServer((at) => [status, { location: `${other.url}${at}` }]);
    const options = { apiKey: KEY, baseUrl: own.url, clock: createManualClock() };
    for (const provider of [
      createOpenAIChat({ id: 'openai', ...options }),
      createAnthropicMessages({ id: 'anthropic', ...options }),
    ]) {
      const error = await turnError(provider);
      expect(error).toMatchObject({ kind: 'InvalidParameters', status });
      expect(error.message).toContain(`it redirects to ${other.url}, which is not followed`);
      expect(error.message).toContain('base_url');
    }
    const embedder = createOpenAIEmbedder({ id: 'embeddings', model: 'm', ...options });
    const { signal } = new AbortController();
    await expect(embedder.embed(['a'], { signal })).rejects.toThrow(`it redirects to ${other.url}`);
    expect(own.requests).toHaveLength(3);
    expect(other.requests).toEqual([]);
  },
);
