import { LLMock } from '@copilotkit/aimock';
import type { Message } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProvider, type ProviderOptionsInput } from './create-provider.ts';
import { runToDone } from './testing/run-turn.ts';

/** A third-party model server, so that the wire format isn't tested only against our own frames. */
const mock = new LLMock({ port: 0 });
const saw = (text: string) => (request: { messages: readonly { content: unknown }[] }) =>
  JSON.stringify(request.messages.at(-1)?.content).includes(text);

beforeAll(async () => {
  mock.addFixture({
    match: { predicate: (request) => saw('merge')(request) },
    response: {
      content: 'Let me look.',
      toolCalls: [
        { id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' },
        { id: 'call_2', name: 'read_file', arguments: '{"path":"b"}' },
      ],
    },
  });
  mock.addFixture({ match: { predicate: saw('bbb') }, response: { content: 'Merged.' } });
  mock.addFixture({
    match: { predicate: saw('plain') },
    response: { content: '```tool_call\n{"name":"read_file","arguments":{"path":"a"}}\n```' },
  });
  await mock.start();
});
afterAll(() => mock.stop());

const settings = (api: ProviderOptionsInput['api']): ProviderOptionsInput => ({
  id: 'mock',
  api,
  apiKey: 'sk-key',
  baseUrl: api === 'openai-chat' ? `${mock.url}/v1` : mock.url,
});
const create = (input: ProviderOptionsInput) => createProvider(input, { clock: createManualClock() });

describe.each(['openai-chat', 'anthropic-messages'] as const)('createProvider() for %s', (api) => {
  test('runs two parallel calls and returns the answer to their results (S002-05, S002-39, U-12, U-13)', async () => {
    const provider = create(settings(api));
    const task: Message = { role: 'user', text: 'merge' };
    const { assistant, stop } = await runToDone(provider, { messages: [task] });
    expect(stop).toBe('tools');
    expect(assistant.parts).toEqual([
      { kind: 'text', text: 'Let me look.' },
      { kind: 'call', call: { id: 'call_1', name: 'read_file', argsText: '{"path":"a"}' } },
      { kind: 'call', call: { id: 'call_2', name: 'read_file', argsText: '{"path":"b"}' } },
    ]);
    const results: Message = {
      role: 'tool',
      results: [
        { callId: 'call_1', text: 'aaa', isError: false },
        { callId: 'call_2', text: 'bbb', isError: false },
      ],
    };
    const answer = await runToDone(provider, { messages: [task, assistant, results] });
    expect(answer).toMatchObject({ stop: 'end', assistant: { parts: [{ kind: 'text', text: 'Merged.' }] } });
  });

  test('describes the tools in the prompt for a model without tools of its own (B5, S002-27)', async () => {
    const provider = create({ ...settings(api), nativeTools: false });
    const { assistant } = await runToDone(provider, { messages: [{ role: 'user', text: 'plain' }] });
    expect(assistant.parts).toMatchObject([{ call: { name: 'read_file', argsText: '{"path":"a"}' } }]);
    expect(mock.getRequests().at(-1)?.body).toMatchObject({ messages: [{ role: 'system' }, {}] });
    expect(mock.getRequests().at(-1)?.body).not.toMatchObject({ tools: expect.anything() });
  });
});

test('createProvider() rejects quirks of another API', () => {
  const wrong = { ...settings('openai-chat'), quirks: { cacheControl: true } };
  expect(() => create(wrong as ProviderOptionsInput)).toThrow(/cacheControl/);
});
