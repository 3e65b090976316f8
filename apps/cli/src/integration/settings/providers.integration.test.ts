import { expect, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';
import { callOf, chatTurn, startModel, workspaceWith } from './model-server.ts';

const LOOK = callOf('list_directory', {});
/** Turns fail fast. */
const ONCE = { tools: { retry: { max_attempts: 1 } } };

async function run(workspace: string, env: Readonly<Record<string, string>> = {}) {
  return createTestTerminal(workspace, { env }).signalbox('run', 'Look', '-p', 'gate', '--until', 'true');
}

test('a request has the address, model, key, limits and temperature of its provider (setting: providers.*.api, providers.*.base_url, providers.*.model, providers.*.api_key_env, providers.*.max_output_tokens, providers.*.temperature)', async () => {
  const model = await startModel();
  const mine = { model: 'mine', api_key_env: 'MY_KEY', max_output_tokens: 77, temperature: 0.1 };
  const env = { MY_KEY: 'key-of-mine' };
  await run(await workspaceWith({ ...mine, base_url: `${model.url}/v9` }), env);
  await run(await workspaceWith({ ...mine, api: 'anthropic-messages', base_url: model.url }), env);
  const [chat, messages] = model.requests;
  expect([chat?.path, chat?.headers.authorization]).toEqual(['/v9/chat/completions', 'Bearer key-of-mine']);
  expect(chat?.body).toMatchObject({ model: 'mine', temperature: 0.1 });
  expect(JSON.stringify(chat?.body)).toMatch(/"max_(?:completion_)?tokens":77/);
  expect(messages?.path).toBe('/v1/messages');
  expect(messages?.headers.authorization).toBe('Bearer key-of-mine');
  expect(messages?.body).toMatchObject({ model: 'mine', max_tokens: 77 });
});

test('a model without tool calls reads of the tools in its prompt (setting: providers.*.native_tools)', async () => {
  const model = await startModel();
  for (const native_tools of [true, false])
    await run(await workspaceWith({ base_url: model.url, native_tools }));
  const seen = model.requests.map(({ body }) => [
    body['tools'] !== undefined,
    JSON.stringify(body['messages']).includes('list_directory'),
  ]);
  expect(seen).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('a model gets its earlier reasoning back only if the settings say so (setting: providers.*.echo_reasoning)', async () => {
  const seen: boolean[] = [];
  for (const echo_reasoning of [false, true]) {
    const model = await startModel([chatTurn({ reasoning_content: 'I ponder', ...LOOK })]);
    await run(await workspaceWith({ base_url: model.url, echo_reasoning }));
    seen.push(JSON.stringify(model.requests[1]?.body).includes('I ponder'));
  }
  expect(seen).toEqual([false, true]);
});

test('each kind of token is charged at its own price (setting: providers.*.prices.input_per_million, providers.*.prices.cached_input_per_million, providers.*.prices.cache_write_per_million, providers.*.prices.output_per_million)', async () => {
  const start = {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 1_000_000,
        cache_read_input_tokens: 1_000_000,
        cache_creation_input_tokens: 1_000_000,
        output_tokens: 1,
      },
    },
  };
  const events = [
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1_000_000 },
    },
    { type: 'message_stop' },
  ];
  const pieces = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const model = await startModel([{ pieces }]);
  const prices = {
    input_per_million: 1,
    cached_input_per_million: 20,
    cache_write_per_million: 300,
    output_per_million: 4000,
  };
  const { talk } = await run(await workspaceWith({ api: 'anthropic-messages', base_url: model.url, prices }));
  expect(talk).toMatch(/cost=\$?4,?321/);
});

test('a run that has spent its budget makes no further request (setting: budget)', async () => {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };
  const model = await startModel([chatTurn(LOOK, { usage }), chatTurn(LOOK, { usage })]);
  const prices = { input_per_million: 3, output_per_million: 3 };
  const { talk } = await run(await workspaceWith({ base_url: model.url, prices }, { budget: 2 }));
  expect([model.requests.length, talk]).toEqual([1, expect.stringContaining('budget')]);
});

test.for<Readonly<{ key: string; timeouts: object; answer: Parameters<typeof startModel>[0]; said: string }>>(
  [
    {
      key: 'providers.*.timeouts.first_byte',
      timeouts: { first_byte: 300 },
      answer: [{ hang: true }],
      said: 'nothing came for 300 ms',
    },
    {
      key: 'providers.*.timeouts.idle',
      timeouts: { idle: 301 },
      answer: [{ ...chatTurn(LOOK), pieces: chatTurn(LOOK).pieces?.slice(0, 1) ?? [], hang: true }],
      said: 'the stream was silent for 301 ms',
    },
    {
      key: 'providers.*.timeouts.total',
      timeouts: { total: 302 },
      answer: [{ pieces: Array.from({ length: 100 }, () => chatTurn().pieces?.[0] ?? ''), pauseMs: 50 }],
      said: 'the turn has run for 302 ms',
    },
  ],
)('a turn that takes too long fails with the limit (setting: $key)', async ({ timeouts, answer, said }) => {
  const model = await startModel(answer);
  const { talk } = await run(await workspaceWith({ base_url: model.url, timeouts }, ONCE));
  expect(talk).toContain(said);
});

test('a turn that failed is tried again as often as the settings say (setting: tools.retry.max_attempts)', async () => {
  const model = await startModel(Array.from({ length: 9 }, () => ({ status: 503 })));
  const retry = { max_attempts: 3, base_ms: 1, max_ms: 1 };
  await run(await workspaceWith({ base_url: model.url }, { tools: { retry } }));
  expect(model.requests).toHaveLength(3);
});

test.for<Readonly<{ key: string; retry: object; tried: number }>>([
  { key: 'tools.retry.base_ms', retry: { base_ms: 600_000, max_ms: 600_000 }, tried: 1 },
  { key: 'tools.retry.max_ms', retry: { base_ms: 600_000, max_ms: 1 }, tried: 3 },
  { key: 'tools.retry.budget_secs', retry: { base_ms: 600, max_ms: 600, budget_secs: 0 }, tried: 1 },
])('a pause that exceeds what all pauses may take is not begun (setting: $key)', async ({ retry, tried }) => {
  const model = await startModel(Array.from({ length: 9 }, () => ({ status: 503 })));
  await run(
    await workspaceWith({ base_url: model.url }, { tools: { retry: { max_attempts: 3, ...retry } } }),
  );
  expect(model.requests).toHaveLength(tried);
});
