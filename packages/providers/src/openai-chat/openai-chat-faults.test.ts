import { createManualClock } from '@signalbox/core/testing';
import type { ProviderErrorKind } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CHAT_DONE, chatChunk, dataFrame } from '../testing/chat-frames.ts';
import {
  type FaultAnswer,
  type FaultServer,
  resetAtOnce,
  sendFrames,
  sendHtml,
  sendJson,
  startFaultServer,
} from '../testing/fault-server.ts';
import { turnError } from '../testing/run-turn.ts';
import { createOpenAIChat } from './openai-chat.ts';

const KEY = 'sk-proj-very-secret-0123456789';
const HELLO = chatChunk({ role: 'assistant', content: 'Hello' });

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const provider = (baseUrl = `${server.url}/v1`) =>
  createOpenAIChat({ id: 'openai', apiKey: KEY, baseUrl, clock: createManualClock() });
const failure = (
  status: number,
  error: Record<string, unknown>,
  headers?: Record<string, string>,
): FaultAnswer => sendJson(status, { error }, headers);

type Row = readonly [fault: string, kind: ProviderErrorKind, answer: FaultAnswer];

describe('an error response', () => {
  const rows: readonly Row[] = [
    ['400', 'InvalidParameters', failure(400, { message: 'bad field', type: 'invalid_request_error' })],
    ['401', 'Auth', failure(401, { message: 'Incorrect API key', code: 'invalid_api_key' })],
    ['402 of DeepSeek', 'Quota', failure(402, { message: 'Insufficient Balance' })],
    ['403', 'Auth', failure(403, { message: 'Country not supported' })],
    ['404', 'InvalidParameters', failure(404, { message: 'no such model', code: 'model_not_found' })],
    ['408', 'Timeout', failure(408, { message: 'took too long' })],
    ['409', 'ServerError', failure(409, { message: 'conflict' })],
    ['413', 'ContextTooLong', failure(413, { message: 'too large' })],
    [
      '400 of Gemini for a full context',
      'ContextTooLong',
      failure(400, {
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      }),
    ],
    ['422', 'InvalidParameters', failure(422, { message: 'unprocessable' })],
    ['429', 'RateLimited', failure(429, { message: 'Slow down', code: 'rate_limit_exceeded' })],
    ['429 without quota', 'Quota', failure(429, { message: 'Pay first', code: 'insufficient_quota' })],
    ['500', 'ServerError', failure(500, { message: 'oops', type: 'server_error' })],
    ['502 with a page of HTML', 'ServerError', sendHtml(502, '<html>Bad gateway</html>')],
    ['503', 'ServerError', failure(503, { message: 'loading model', type: 'unavailable_error' })],
    ['529', 'ServerError', failure(529, { message: 'overloaded' })],
    [
      'a full context at OpenAI',
      'ContextTooLong',
      failure(400, {
        message: "This model's maximum context length is 8192",
        code: 'context_length_exceeded',
      }),
    ],
    [
      'a full context at llama.cpp',
      'ContextTooLong',
      failure(400, {
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      }),
    ],
    [
      'a full context at vLLM',
      'ContextTooLong',
      failure(400, {
        message: "This model's maximum context length is 4096 tokens",
        type: 'BadRequestError',
      }),
    ],
    [
      'a prompt rejected by a filter',
      'Refused',
      failure(400, { message: 'filtered', code: 'content_filter' }),
    ],
    ['a reset before the headers', 'NetworkError', resetAtOnce],
    ['200 with a body of JSON', 'Truncated', sendJson(200, { choices: [] })],
  ];
  test.each(rows)('%s is %s', async (_, kind, answer) => {
    server.answer(answer);
    const error = await turnError(provider());
    expect({ kind: error.kind, sawOutput: error.sawOutput }).toEqual({ kind, sawOutput: false });
    expect(server.received).toHaveLength(1);
  });

  test('a refused connection is NetworkError', async () => {
    const error = await turnError(provider('http://127.0.0.1:2/v1'));
    expect(error).toMatchObject({ kind: 'NetworkError', retryable: true });
    expect(error.message).toMatch(/: connect ECONNREFUSED 127\.0\.0\.1:2$/);
    expect(error.message.match(/ECONNREFUSED/g)).toHaveLength(1);
  });
});

describe('a stream that fails midway', () => {
  const rows: readonly Row[] = [
    ['a reset', 'NetworkError', sendFrames([HELLO], 'reset')],
    ['an early end', 'Truncated', sendFrames([HELLO])],
    ['an early end with [DONE]', 'Truncated', sendFrames([HELLO, CHAT_DONE])],
    [
      'an error event',
      'ServerError',
      sendFrames([HELLO, dataFrame({ error: { message: 'x', type: 'server_error' } })]),
    ],
    [
      'an error event about the rate',
      'RateLimited',
      sendFrames([HELLO, dataFrame({ error: { message: 'x', code: 'rate_limit_exceeded' } })]),
    ],
    ['a frame of broken JSON', 'Protocol', sendFrames([HELLO, 'data: {"choices": [{'])],
    ['a frame of another shape', 'Protocol', sendFrames([HELLO, dataFrame({ choices: 'none' })])],
    [
      'a server out of resources (DeepSeek)',
      'ServerError',
      sendFrames([HELLO, chatChunk({}, 'insufficient_system_resource'), CHAT_DONE]),
    ],
  ];
  test.each(rows)('%s is %s, with sawOutput set', async (_, kind, answer) => {
    server.answer(answer);
    const error = await turnError(provider());
    expect({ kind: error.kind, sawOutput: error.sawOutput }).toEqual({ kind, sawOutput: true });
  });
});

test('an error keeps the request id and the requested wait', async () => {
  const headers = { 'retry-after': '3', 'x-request-id': 'req_17' };
  server.answer(failure(429, { message: 'Slow down' }, headers));
  expect(await turnError(provider())).toMatchObject({
    status: 429,
    retryAfterMs: 3000,
    requestId: 'req_17',
    message: 'Cannot get a turn from "openai": 429 Slow down',
  });
});

test('an error never contains the key, wherever the server repeats it', async () => {
  server.answer(
    failure(401, { message: `Incorrect API key provided: ${KEY}` }),
    sendFrames([HELLO, dataFrame({ error: { message: `who is Bearer ${KEY}?`, type: 'server_error' } })]),
    sendHtml(502, `<pre>authorization: Bearer ${KEY}</pre>`),
  );
  for (let i = 0; i < 3; i++) {
    const error = await turnError(provider());
    expect(error.message).toContain('[redacted]');
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('very-secret');
  }
});

test('a turn over its total limit times out, even if it is never silent', async () => {
  const clock = createManualClock();
  const chatty = createOpenAIChat({ id: 'openai', apiKey: KEY, baseUrl: `${server.url}/v1`, clock });
  server.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Each piece that arrives advances the clock by a second.
    const say = (): void => void response.write(`${HELLO}\n\n`, () => void clock.advance(1000).then(say));
    response.on('error', () => {});
    say();
  });
  const error = await turnError(chatty, {}, { idleMs: 1_000_000, totalMs: 10_000 });
  expect(error).toMatchObject({ kind: 'Timeout', sawOutput: true });
  expect(error.message).toContain('10000 ms');
});
