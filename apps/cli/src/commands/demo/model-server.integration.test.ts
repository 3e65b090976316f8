import type { Clock, Event } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createMilestones, isOf } from './milestones.ts';
import { startModelServer } from './model-server.ts';
import { resultContains, type DemoScript } from './script.ts';
import { aDemoLog } from './testing/demo-log.ts';

const THREE_TURNS: DemoScript['turns'] = [
  [{ say: 'I read.', thoughts: 'Hm.', calls: [{ tool: 'read_file', args: { path: 'a' } }], thinkMs: 0 }],
  [
    { say: 'It is stale.', calls: [], when: resultContains('stale'), thinkMs: 0 },
    { say: 'It is fresh.', calls: [], thinkMs: 0 },
  ],
];
const SCRIPTS: readonly DemoScript[] = [
  { provider: 'anthropic', model: 'messages', task: '', turns: THREE_TURNS },
  { provider: 'deepseek', model: 'chat', task: '', turns: THREE_TURNS },
  {
    provider: 'openai',
    model: 'late',
    task: '',
    turns: [
      [
        {
          say: 'Now.',
          calls: [],
          after: isOf('approval_requested', { provider: 'deepseek', title: 'rm -rf dist' }),
          thinkMs: 5,
        },
      ],
    ],
  },
];

async function aServer(clock: Clock = createManualClock()) {
  const milestones = createMilestones();
  const server = await startModelServer({
    scripts: SCRIPTS,
    milestones,
    clock: inNoTime(clock),
    fast: false,
  });
  onTestFinished(() => server.stop());
  return { server, milestones };
}

/** Makes thinking instant and patience infinite. */
function inNoTime(clock: Clock): Clock {
  return {
    ...clock,
    timer(delayMs, callback) {
      if (delayMs < 1000) queueMicrotask(callback);
      return () => undefined;
    },
  };
}

async function post(url: string, body: object): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'none',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ max_tokens: 1000, ...body }),
  });
  return { status: response.status, answer: await response.json() };
}

const user = { role: 'user', content: 'Make the tests pass' };

test('Messages requests are answered by the model’s script, turn by turn, depending on results', async () => {
  const { server } = await aServer();
  const url = `${server.url}/v1/messages`;
  const first = await post(url, { model: 'messages', messages: [user] });
  expect(first).toMatchObject({
    status: 200,
    answer: {
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'I read.' },
        { type: 'tool_use', id: 'call_anthropic_1_1', name: 'read_file', input: { path: 'a' } },
      ],
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    },
  });
  const text = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read_file', input: {} }] };
  const result = (content: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't', content }],
  });
  expect(await post(url, { model: 'messages', messages: [user, text, result('stale')] })).toMatchObject({
    answer: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'It is stale.' }] },
  });
  expect(await post(url, { model: 'messages', messages: [user, text, result('ok')] })).toMatchObject({
    answer: { content: [{ type: 'text', text: 'It is fresh.' }] },
  });
});

test('Chat Completions are answered the same way, thoughts as reasoning_content', async () => {
  const { server } = await aServer();
  const url = `${server.url}/v1/chat/completions`;
  expect(await post(url, { model: 'chat', messages: [user] })).toMatchObject({
    answer: {
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'I read.',
            reasoning_content: 'Hm.',
            tool_calls: [
              { id: 'call_deepseek_1_1', function: { name: 'read_file', arguments: '{"path":"a"}' } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    },
  });
  const call = { id: 't', type: 'function', function: { name: 'read_file', arguments: '{}' } };
  const messages = [
    user,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 't', content: 'stale' },
  ];
  expect(await post(url, { model: 'chat', messages })).toMatchObject({
    answer: { choices: [{ finish_reason: 'stop', message: { content: 'It is stale.' } }] },
  });
});

test('a step that depends on an event is sent after it, not before', async () => {
  const { server, milestones } = await aServer();
  const order: string[] = [];
  const body = { model: 'late', messages: [user] };
  const answered = post(`${server.url}/v1/chat/completions`, body).then(() => order.push('answered'));
  // A later request is answered first.
  await post(`${server.url}/v1/chat/completions`, { model: 'chat', messages: [user] });
  for (const event of aDemoLog()) {
    if (event.type === 'approval_requested') order.push('asked');
    milestones.note(event);
  }
  await answered;
  expect(order).toEqual(['asked', 'answered']);
});

test('an event that has already happened is not waited for', async () => {
  const { server, milestones } = await aServer();
  for (const event of aDemoLog()) milestones.note(event);
  const body = { model: 'late', messages: [user] };
  expect(await post(`${server.url}/v1/chat/completions`, body)).toMatchObject({ status: 200 });
});

test('stopping a server interrupts its thinking, and frees its port', async () => {
  const { server } = await aServer();
  const body = { model: 'late', messages: [user] };
  const url = `${server.url}/v1/chat/completions`;
  const broken = post(url, body).catch((error: unknown) => error);
  await post(url, { model: 'chat', messages: [user] });
  await server.stop();
  expect(await broken).toBeInstanceOf(TypeError);
  await expect(post(url, body)).rejects.toThrow('fetch failed');
});

test('a model without a script is not found', async () => {
  const { server } = await aServer();
  expect(await post(`${server.url}/v1/messages`, { model: 'gpt', messages: [user] })).toMatchObject({
    status: 404,
  });
});

test('a milestone checks type, provider and title', () => {
  const seen = (milestone: (event: Event) => boolean) => aDemoLog().filter(milestone).length;
  expect(seen(isOf('command_started', { provider: 'deepseek', tool: 'run_tests' }))).toBe(1);
  expect(seen(isOf('command_completed', { provider: 'openai', title: 'write_file src/cart.ts' }))).toBe(1);
  expect(seen(isOf(['command_queued', 'command_started'], { provider: 'anthropic' }))).toBe(12);
  expect(seen(isOf('session_started', { provider: 'anthropic' }))).toBe(0);
});
