import type { AssistantMessage, Message } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultServer, sendFrames, startFaultServer } from '../testing/fault-server.ts';
import {
  blockFrames,
  messageAnswer,
  messageEnd,
  messageStart,
  textFrames,
  thinkingFrames,
} from '../testing/message-frames.ts';
import { runToDone, runTurn } from '../testing/run-turn.ts';
import { type AnthropicMessagesOptions, createAnthropicMessages } from './anthropic-messages.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const provider = (quirks: AnthropicMessagesOptions['quirks'] = {}) =>
  createAnthropicMessages({
    id: 'anthropic',
    apiKey: 'sk-ant',
    baseUrl: server.url,
    quirks,
    clock: createManualClock(),
  });
const done = messageAnswer({ kind: 'answer', text: 'Done.' });
const callOf = (id: string, argsText: string): AssistantMessage['parts'][number] => ({
  kind: 'call',
  call: { id, name: 'read_file', argsText },
});
const sentMessages = (index: number): unknown => server.received[index]?.body['messages'];

test('a request marks the cache up to the last tool and the last system block', async () => {
  server.answer(done);
  await runTurn(provider());
  const request = server.received[0];
  expect(request?.path).toBe('/v1/messages');
  expect(request?.headers['authorization']).toBe('Bearer sk-ant');
  expect(request?.body).toMatchObject({
    max_tokens: 8192,
    stream: true,
    system: [{ type: 'text', text: 'You work on a shared tree.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Merge a into b.' }] }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: false },
  });
  const tools = request?.body['tools'] as Record<string, unknown>[];
  expect(tools.map((tool) => [tool['name'], tool['cache_control']])).toEqual([
    ['read_file', undefined],
    ['write_file', { type: 'ephemeral' }],
  ]);
  expect(request?.body).not.toHaveProperty('temperature');
});

test('a header of the quirks overrides the API version', async () => {
  server.answer(done);
  await runTurn(provider({ headers: { 'anthropic-version': '2023-06-01' }, cacheControl: false }));
  expect(server.received[0]?.headers['anthropic-version']).toBe('2023-06-01');
  expect(server.received[0]?.text).not.toContain('cache_control');
});

test('thinking is sent back verbatim with its signature, and all results in one user message', async () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} };
  server.answer(
    sendFrames([
      messageStart(),
      ...thinkingFrames(0, 'Hm.', { signature: 'sig-1' }),
      ...blockFrames(1, { type: 'redacted_thinking', data: 'opaque' }, { deltas: [] }),
      ...textFrames(2, 'Let me look.'),
      ...blockFrames(3, call, { deltas: [{ type: 'input_json_delta', partial_json: '{"path":"a"}' }] }),
      ...blockFrames(
        4,
        { ...call, id: 'toolu_2' },
        { deltas: [{ type: 'input_json_delta', partial_json: '{"pa' }] },
      ),
      ...messageEnd('tool_use'),
    ]),
    done,
  );
  const { assistant } = await runToDone(provider());
  expect(assistant.parts).toEqual([
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'text', text: 'Let me look.' },
    callOf('toolu_1', '{"path":"a"}'),
    callOf('toolu_2', '{"pa'),
  ]);
  const messages: Message[] = [
    { role: 'user', text: 'go' },
    assistant,
    {
      role: 'tool',
      results: [
        { callId: 'toolu_1', text: 'aaa', isError: false },
        { callId: 'toolu_2', text: 'broken', isError: true },
      ],
    },
    { role: 'user', text: 'Hurry up.' },
  ];
  // A session may store its messages as JSON in between.
  await runTurn(provider(), { messages: JSON.parse(JSON.stringify(messages)) as Message[] });
  expect(sentMessages(1)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig-1' },
        { type: 'redacted_thinking', data: 'opaque' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a' } },
        { type: 'tool_use', id: 'toolu_2', name: 'read_file', input: { unreadable_arguments: '{"pa' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'aaa' },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'broken', is_error: true },
        { type: 'text', text: 'Hurry up.' },
      ],
    },
  ]);
});

test('content the server would reject is not sent back: cut thinking, blank text, an empty turn', async () => {
  server.answer(
    sendFrames([
      messageStart(),
      ...thinkingFrames(0, 'I was cu', { signature: '' }),
      ...textFrames(1, '\n'),
      ...messageEnd('max_tokens'),
    ]),
    done,
  );
  const { assistant, stop } = await runToDone(provider());
  expect(stop).toBe('length');
  await runTurn(provider(), {
    messages: [{ role: 'user', text: 'go' }, assistant, { role: 'user', text: 'on' }],
  });
  expect(sentMessages(1)).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'text', text: '(nothing)' }] },
    { role: 'user' },
  ]);
});

test("another provider's turn is sent back without its reasoning", async () => {
  server.answer(done);
  const foreign: AssistantMessage = {
    role: 'assistant',
    parts: [{ kind: 'reasoning', text: 'Hm.' }, { kind: 'text', text: 'So.' }, callOf('call_1', '{}')],
    native: { api: 'openai-chat', reasoning: 'Hm.', extras: {} },
  };
  await runTurn(provider(), { messages: [foreign] });
  expect(sentMessages(0)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'So.' },
        { type: 'tool_use', id: 'call_1', name: 'read_file', input: {} },
      ],
    },
  ]);
});

test('cached tokens count as input, and the last count of output tokens wins', async () => {
  server.answer(
    sendFrames([
      messageStart({
        input_tokens: 5,
        cache_read_input_tokens: 70,
        cache_creation_input_tokens: 25,
        output_tokens: 1,
      }),
      ...textFrames(0, 'Done.'),
      ...messageEnd('end_turn', {
        output_tokens: 12,
        output_tokens_details: { thinking_tokens: 4 },
        input_tokens: null,
      }),
    ]),
  );
  expect((await runToDone(provider())).usage).toEqual({
    inputTokens: 100,
    cachedInputTokens: 70,
    cacheWriteTokens: 25,
    outputTokens: 12,
    reasoningTokens: 4,
  });
});

test.each([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['pause_turn', 'paused'],
  ['refusal', 'refused'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['a_reason_of_next_year', 'end'],
])('the stop reason %s means %s', async (reason, stop) => {
  server.answer(sendFrames([messageStart(), ...textFrames(0, 'So.'), ...messageEnd(reason)]));
  expect((await runToDone(provider())).stop).toBe(stop);
});
