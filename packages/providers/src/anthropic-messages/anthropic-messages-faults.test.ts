import { createManualClock } from '@signalbox/core/testing';
import type { ProviderErrorKind } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type FaultAnswer,
  type FaultServer,
  resetAtOnce,
  sendFrames,
  sendHtml,
  sendJson,
  startFaultServer,
} from '../testing/fault-server.ts';
import { messageEnd, messageFrame, messageStart, textFrames } from '../testing/message-frames.ts';
import { turnError } from '../testing/run-turn.ts';
import { createAnthropicMessages } from './anthropic-messages.ts';

const KEY = 'sk-ant-very-secret-0123456789';
const HELLO = [messageStart(), ...textFrames(0, 'Hello')];

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const provider = (baseUrl = server.url) =>
  createAnthropicMessages({ id: 'anthropic', apiKey: KEY, baseUrl, clock: createManualClock() });
const failure = (
  status: number,
  type: string,
  { message = 'it failed', headers }: Readonly<{ message?: string; headers?: Record<string, string> }> = {},
) => sendJson(status, { type: 'error', error: { type, message } }, headers);
const errorEvent = (type: string): string =>
  messageFrame({ type: 'error', error: { type, message: 'it failed' } });

type Row = readonly [fault: string, kind: ProviderErrorKind, answer: FaultAnswer];

describe('an error response', () => {
  const rows: readonly Row[] = [
    ['400', 'InvalidParameters', failure(400, 'invalid_request_error')],
    [
      '400 for lack of credit',
      'Quota',
      failure(400, 'invalid_request_error', { message: 'Your credit balance is too low' }),
    ],
    ['401', 'Auth', failure(401, 'authentication_error')],
    ['402', 'Quota', failure(402, 'billing_error')],
    ['403', 'Auth', failure(403, 'permission_error')],
    ['404', 'InvalidParameters', failure(404, 'not_found_error')],
    ['408', 'Timeout', failure(408, 'timeout_error')],
    ['413', 'ContextTooLong', failure(413, 'request_too_large')],
    ['422', 'InvalidParameters', failure(422, 'invalid_request_error')],
    ['429', 'RateLimited', failure(429, 'rate_limit_error')],
    ['500', 'ServerError', failure(500, 'api_error')],
    ['502 with a page of HTML', 'ServerError', sendHtml(502, '<html>Bad gateway</html>')],
    ['503', 'ServerError', failure(503, 'api_error')],
    ['529', 'ServerError', failure(529, 'overloaded_error')],
    [
      'a full context',
      'ContextTooLong',
      failure(400, 'invalid_request_error', {
        message: 'prompt is too long: 200010 tokens > 200000 maximum',
      }),
    ],
    [
      'a context without room for the answer',
      'ContextTooLong',
      failure(400, 'invalid_request_error', {
        message: 'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000',
      }),
    ],
    ['a reset before the headers', 'NetworkError', resetAtOnce],
    ['200 with a body of JSON', 'Truncated', sendJson(200, { type: 'message', content: [] })],
  ];
  test.each(rows)('%s is %s', async (_, kind, answer) => {
    server.answer(answer);
    const error = await turnError(provider());
    expect({ kind: error.kind, sawOutput: error.sawOutput }).toEqual({ kind, sawOutput: false });
    expect(server.received).toHaveLength(1);
  });

  test('a refused connection is NetworkError', async () => {
    expect(await turnError(provider('http://127.0.0.1:9'))).toMatchObject({
      kind: 'NetworkError',
      retryable: true,
    });
  });
});

describe('a stream that fails midway', () => {
  const rows: readonly Row[] = [
    ['a reset', 'NetworkError', sendFrames(HELLO, 'reset')],
    ['an early end', 'Truncated', sendFrames(HELLO)],
    ['an end without a reason', 'Truncated', sendFrames([...HELLO, messageFrame({ type: 'message_stop' })])],
    ['a reason without an end', 'Truncated', sendFrames([...HELLO, ...messageEnd('end_turn').slice(0, 1)])],
    ['an overload event', 'ServerError', sendFrames([...HELLO, errorEvent('overloaded_error')])],
    ['a rate limit event', 'RateLimited', sendFrames([...HELLO, errorEvent('rate_limit_error')])],
    ['an api_error event', 'ServerError', sendFrames([...HELLO, errorEvent('api_error')])],
    [
      'a frame of broken JSON',
      'Protocol',
      sendFrames([...HELLO, 'event: content_block_delta\ndata: {"type": "cont', ...messageEnd('end_turn')]),
    ],
    [
      'a piece of a block that was not opened',
      'Protocol',
      sendFrames([
        ...HELLO,
        messageFrame({ type: 'content_block_delta', index: 5, delta: { type: 'text_delta', text: 'lost' } }),
        ...messageEnd('end_turn'),
      ]),
    ],
  ];
  test.each(rows)('%s is %s, with sawOutput set', async (_, kind, answer) => {
    server.answer(answer);
    const error = await turnError(provider());
    expect({ kind: error.kind, sawOutput: error.sawOutput }).toEqual({ kind, sawOutput: true });
  });
});

test('an error keeps the request id and the requested wait', async () => {
  const clock = createManualClock();
  const date = new Date(clock.now() + 90_000).toUTCString();
  server.answer(
    failure(429, 'rate_limit_error', {
      message: 'Slow down',
      headers: { 'retry-after': date, 'request-id': 'req_17' },
    }),
  );
  expect(await turnError(provider())).toMatchObject({
    status: 429,
    retryAfterMs: 90_000,
    requestId: 'req_17',
    message: 'Cannot get a turn from "anthropic": Slow down',
  });
});

test('an error never contains the key, wherever the server repeats it', async () => {
  server.answer(
    failure(401, 'authentication_error', { message: `invalid x-api-key ${KEY}` }),
    sendHtml(502, `<pre>x-api-key: ${KEY}</pre>`),
  );
  for (let i = 0; i < 2; i++) {
    const error = await turnError(provider());
    expect(error.message).toContain('[redacted]');
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('very-secret');
  }
});
