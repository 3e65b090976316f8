import { describe, expect, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';
import { messagesTurn } from '../settings/messages-turn.ts';
import { callOf, chatTurn, type ModelAnswer, startModel, workspaceWith } from '../settings/model-server.ts';

/** Both wire formats, as a model that speaks them: a call of `read_file`, words, and a refusal for its length. */
const WIRES = [
  {
    api: 'openai-chat',
    reads: (path: string, inputTokens = 10): ModelAnswer =>
      chatTurn(callOf('read_file', { path }), { usage: usageOf(inputTokens) }),
    says: (text: string): ModelAnswer => chatTurn({ content: text }, { usage: usageOf(10) }),
    tooLong: { error: { message: 'maximum context length is 9 tokens', code: 'context_length_exceeded' } },
  },
  {
    api: 'anthropic-messages',
    reads: (path: string, inputTokens = 10): ModelAnswer =>
      messagesTurn({ name: 'read_file', args: { path } }, { inputTokens }),
    says: (text: string): ModelAnswer => messagesTurn({ text }),
    tooLong: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  },
] as const;

function usageOf(tokens: number): object {
  return { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 };
}

/** Five files whose texts can be told apart; the first two are the largest. */
const NAMES = ['a', 'b', 'c', 'd', 'e'];
const FILES = Object.fromEntries(
  NAMES.map((name, at) => [`${name}.txt`, `text of ${name}: ${name.repeat(at < 2 ? 6000 : 600)}\n`]),
);
const textOf = (name: string): string => `text of ${name}: `;

const run = async (workspace: string) =>
  createTestTerminal(workspace).signalbox('run', 'Compare the files', '-p', 'gate', '--until', 'true');

/** What a request says, as one text. */
const saidIn = (body: Readonly<Record<string, unknown>> | undefined): string =>
  JSON.stringify(body?.['messages']);

describe.each(WIRES)('over $api', ({ api, reads, says, tooLong }) => {
  test('a conversation that fills 90 % of its context goes on with a summary (S001-55, S001-56, S001-57) (setting: providers.*.context_tokens)', async () => {
    const model = await startModel([
      ...['a', 'b', 'c', 'd'].map((name) => reads(`${name}.txt`)),
      reads('e.txt', 18_000),
      says('Findings: a and b are equal.'),
      says('Done.'),
    ]);
    const workspace = await workspaceWith(
      { api, base_url: model.url, context_tokens: 20_000 },
      { files: FILES },
    );
    const { talk } = await run(workspace);
    expect(model.requests).toHaveLength(7);
    const [, , , , , summary, next] = model.requests.map(({ body }) => body);
    expect([summary?.['tools'], saidIn(summary).includes(textOf('a'))]).toEqual([undefined, true]);
    const said = saidIn(next);
    expect(NAMES.map((name) => said.includes(textOf(name)))).toEqual([false, false, true, true, true]);
    expect(said).toContain('Compare the files');
    expect(said).toContain('Findings: a and b are equal.');
    expect(talk).toMatch(/compressed.* its next request would use 9\d % of the context of 20000 tokens/);
  });

  test('a turn that its provider refuses as too long is repeated once, with a summary (S001-56)', async () => {
    const refusal = { status: 400, pieces: [JSON.stringify(tooLong)] };
    const model = await startModel([
      ...NAMES.map((name) => reads(`${name}.txt`)),
      refusal,
      says('Findings: all differ.'),
      says('Done.'),
    ]);
    const workspace = await workspaceWith(
      { api, base_url: model.url, context_tokens: null },
      { files: FILES },
    );
    const { exit } = await run(workspace);
    expect([exit, model.requests.length]).toEqual([0, 8]);
    const said = saidIn(model.requests[7]?.body);
    expect([said.includes('Findings: all differ.'), said.includes(textOf('a'))]).toEqual([true, false]);
    expect(said).toContain(textOf('e'));
  });
});

test('a conversation is compressed at the share of its context that the settings say (setting: agent.compress_at)', async () => {
  const seen: number[] = [];
  for (const compress_at of [0.3, null]) {
    const [{ reads, says }] = WIRES;
    const model = await startModel((body, before) => {
      const name = NAMES[before];
      return body['tools'] === undefined || name === undefined
        ? says('All equal.')
        : reads(`${name}.txt`, 9000);
    });
    const settings = { files: FILES, agent: { compress_at } };
    await run(await workspaceWith({ base_url: model.url, context_tokens: 20_000 }, settings));
    seen.push(model.requests.filter(({ body }) => body['tools'] === undefined).length);
  }
  expect(seen).toEqual([1, 0]);
});
