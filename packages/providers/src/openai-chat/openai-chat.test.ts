import type { Message } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHAT_DONE, chatAnswer, chatChunk, dataFrame } from '../testing/chat-frames.ts';
import { type FaultServer, sendFrames, startFaultServer } from '../testing/fault-server.ts';
import { runToDone, runTurn } from '../testing/run-turn.ts';
import { createOpenAIChat, type OpenAIChatOptions } from './openai-chat.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const provider = (quirks: OpenAIChatOptions['quirks'] = {}) =>
  createOpenAIChat({
    id: 'openai',
    apiKey: 'sk-key',
    baseUrl: `${server.url}/v1`,
    quirks,
    clock: createManualClock(),
  });
const answerWith = (...frames: string[]): void => server.answer(sendFrames([...frames, CHAT_DONE]));
const callDelta = (delta: Record<string, unknown>): string => chatChunk({ tool_calls: [delta] });
const calls = async () =>
  (await runToDone(provider())).assistant.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));

test('a request has every field of a streamed turn with tools (S000-14, S002-11, S002-25)', async () => {
  server.answer(chatAnswer({ kind: 'answer', text: 'Done.' }));
  await runTurn(provider(), { maxOutputTokens: 500, temperature: 0.7 });
  const request = server.received[0];
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.headers['authorization']).toBe('Bearer sk-key');
  expect(request?.body).toMatchObject({
    model: 'some-model',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 500,
    temperature: 0.7,
    parallel_tool_calls: true,
    tools: [{ type: 'function', function: { name: 'read_file' } }, { function: { name: 'write_file' } }],
  });
});

test('a request omits unset fields, and fields its server does not know', async () => {
  server.answer(chatAnswer({ kind: 'answer', text: 'Done.' }));
  await runTurn(
    provider({
      streamUsage: false,
      parallelToolCalls: null,
      maxTokensField: 'max_completion_tokens',
      headers: { x: 'y' },
    }),
    { maxOutputTokens: 9 },
  );
  expect(Object.keys(server.received[0]?.body ?? {}).toSorted()).toEqual([
    'max_completion_tokens',
    'messages',
    'model',
    'stream',
    'tools',
  ]);
  expect(server.received[0]?.headers['x']).toBe('y');
});

test.each([
  ['with its text if the quirk is set (DeepSeek)', true, 'Hm.', 'Hm.'],
  ['even when empty if the quirk is set (DeepSeek)', true, undefined, ''],
  ['never otherwise', false, 'Hm.', undefined],
])('reasoning is sent back %s', async (_, echoReasoning, reasoning, expected) => {
  const call = { id: 'call_1', name: 'read_file', argsText: '{"path":"a"}' };
  server.answer(
    chatAnswer({ kind: 'answer', calls: [call], ...(reasoning === undefined ? {} : { reasoning }) }),
    chatAnswer({ kind: 'answer', text: 'Done.' }),
  );
  const deepseek = provider({ echoReasoning });
  const { assistant } = await runToDone(deepseek);
  const result: Message = { role: 'tool', results: [{ callId: 'call_1', text: 'aaa', isError: false }] };
  await runTurn(deepseek, { messages: [{ role: 'user', text: 'go' }, assistant, result] });
  const sent = server.received[1]?.body['messages'] as Record<string, unknown>[];
  expect(sent[1]).toEqual({
    role: 'assistant',
    content: null,
    ...(expected === undefined ? {} : { reasoning_content: expected }),
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
    ],
  });
  expect(sent[2]).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'aaa' });
});

test("another provider's turn is sent to DeepSeek with the empty reasoning it requires", async () => {
  server.answer(chatAnswer({ kind: 'answer', text: 'Done.' }));
  const parts = [{ kind: 'reasoning', text: 'Hm.' } as const, { kind: 'text', text: 'So.' } as const];
  const foreign = { role: 'assistant', parts, native: { api: 'anthropic-messages', blocks: [] } } as const;
  await runTurn(provider({ echoReasoning: true }), { messages: [foreign] });
  expect(server.received[0]?.body['messages']).toEqual([
    { role: 'assistant', content: 'So.', reasoning_content: '' },
  ]);
});

test('unknown fields of a call are sent back with it (Gemini)', async () => {
  const extra = { extra_content: { google: { thought_signature: 'abc' } } };
  answerWith(
    callDelta({ index: 0, id: 'c1', function: { name: 'read_file', arguments: '{}' }, ...extra }),
    chatChunk({}, 'tool_calls'),
  );
  server.answer(chatAnswer({ kind: 'answer', text: 'Done.' }));
  const { assistant } = await runToDone(provider());
  await runTurn(provider(), { messages: [assistant] });
  expect(server.received[1]?.body['messages']).toMatchObject([{ tool_calls: [{ id: 'c1', ...extra }] }]);
});

test('arguments that do not parse are sent back wrapped in an object', async () => {
  const parts = [{ kind: 'call', call: { id: 'c1', name: 'read_file', argsText: '{"path": ' } } as const];
  server.answer(chatAnswer({ kind: 'answer', text: 'Done.' }));
  await runTurn(provider(), { messages: [{ role: 'assistant', parts }] });
  expect(server.received[0]?.body['messages']).toMatchObject([
    { tool_calls: [{ function: { arguments: '{"unreadable_arguments":"{\\"path\\": "}' } }] },
  ]);
});

test('calls that all have index 0 are distinguished by their ids', async () => {
  answerWith(
    callDelta({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":"a"}' } }),
    callDelta({ index: 0, id: 'b', function: { name: 'read_file', arguments: '{"path":"b"}' } }),
    chatChunk({}, 'stop'),
  );
  expect(await calls()).toEqual([
    { id: 'a', name: 'read_file', argsText: '{"path":"a"}' },
    { id: 'b', name: 'read_file', argsText: '{"path":"b"}' },
  ]);
});

test('calls without index and id are distinguished by their names', async () => {
  answerWith(
    callDelta({ function: { name: 'read_file', arguments: '{"path":' } }),
    callDelta({ function: { arguments: '"a"}' } }),
    callDelta({ function: { name: 'read_file', arguments: { path: 'b' } } }),
    chatChunk({}, 'tool_calls'),
  );
  const [first, second] = await calls();
  expect([first?.argsText, second?.argsText]).toEqual(['{"path":"a"}', '{"path":"b"}']);
  expect(first?.id).not.toBe(second?.id);
});

test('a name repeated in every delta is used once', async () => {
  const piece = (args: string) =>
    callDelta({ index: 0, id: 'a', function: { name: 'read_file', arguments: args } });
  answerWith(piece('{"path"'), piece(':"a"}'), chatChunk({}, 'tool_calls'));
  expect(await calls()).toEqual([{ id: 'a', name: 'read_file', argsText: '{"path":"a"}' }]);
});

test('a turn with calls stops for tools, whatever the finish reason', async () => {
  answerWith(
    callDelta({ index: 0, id: 'a', function: { name: 'x', arguments: '{}' } }),
    chatChunk({}, 'stop'),
  );
  answerWith(chatChunk({ content: 'No calls.' }), chatChunk({}, 'tool_calls'));
  expect((await runToDone(provider())).stop).toBe('tools');
  expect((await runToDone(provider())).stop).toBe('end');
});

test('a refusal ends the turn as refused and keeps its text', async () => {
  answerWith(chatChunk({ refusal: 'I will not.' }), chatChunk({}, 'stop'));
  expect(await runToDone(provider())).toMatchObject({
    stop: 'refused',
    assistant: { parts: [{ kind: 'text', text: 'I will not.' }] },
  });
});

test("DeepSeek's and Ollama's names for cached tokens and reasoning are understood", async () => {
  answerWith(
    chatChunk({ reasoning: 'Hm.' }),
    chatChunk({ content: 'Done.' }, 'stop'),
    dataFrame({
      choices: [],
      usage: { prompt_tokens: 50, completion_tokens: 8, prompt_cache_hit_tokens: 30 },
    }),
  );
  expect(await runToDone(provider())).toMatchObject({
    assistant: {
      parts: [
        { kind: 'reasoning', text: 'Hm.' },
        { kind: 'text', text: 'Done.' },
      ],
    },
    usage: { inputTokens: 50, cachedInputTokens: 30, outputTokens: 8 },
  });
});

test.each(['', 'ftp://models', '/v1', 'https://me:secret@models/v1'])(
  'createOpenAIChat() rejects %j as its base URL',
  (baseUrl) => {
    expect(() => createOpenAIChat({ id: 'x', apiKey: '', baseUrl, clock: createManualClock() })).toThrow(
      'Cannot use provider "x": its base URL is not usable',
    );
  },
);
