import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';
import { messagesTurn } from '../settings/messages-turn.ts';
import {
  callOf,
  chatTurn,
  type ScriptedAnswer,
  startModel,
  workspaceWith,
} from '../settings/model-server.ts';

/** Both wire formats, as a model that speaks them: a call of `read_file`, words, and a refusal for its length. */
const WIRES = [
  {
    api: 'openai-chat',
    reads: (path: string, inputTokens = 10): ScriptedAnswer =>
      chatTurn(callOf('read_file', { path }), { usage: usageOf(inputTokens) }),
    says: (text: string): ScriptedAnswer => chatTurn({ content: text }, { usage: usageOf(10) }),
    tooLong: { error: { message: 'maximum context length is 9 tokens', code: 'context_length_exceeded' } },
  },
  {
    api: 'anthropic-messages',
    reads: (path: string, inputTokens = 10): ScriptedAnswer =>
      messagesTurn({ name: 'read_file', args: { path } }, { inputTokens }),
    says: (text: string): ScriptedAnswer => messagesTurn({ text }),
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

const compare = async (workspace: string) =>
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
    const { talk } = await compare(workspace);
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
    const { exit } = await compare(workspace);
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
    await compare(await workspaceWith({ base_url: model.url, context_tokens: 20_000 }, settings));
    seen.push(model.requests.filter(({ body }) => body['tools'] === undefined).length);
  }
  expect(seen).toEqual([1, 0]);
});

/** Answers turns by their number, and requests for a summary with this text. */
function answering(turns: readonly ScriptedAnswer[], summary = 'Findings: all read.') {
  let turn = 0;
  return (body: Readonly<Record<string, unknown>>): ScriptedAnswer =>
    body['tools'] === undefined ? WIRES[0].says(summary) : (turns[turn++] ?? WIRES[0].says('Done.'));
}

const [{ reads: readsOver }] = WIRES;
const compresses = (): ScriptedAnswer => chatTurn(callOf('compress_context', {}));

test('a model has its own conversation compressed; the tool is always offered, runs no request of its own and costs no quota (S001-54, S001-58, S001-60)', async () => {
  const turns = [...NAMES.map((name) => readsOver(`${name}.txt`)), compresses()];
  const model = await startModel(answering(turns));
  const settings = { files: FILES, tools: { max_tool_calls_per_session: 5 } };
  const workspace = await workspaceWith({ base_url: model.url, tools: ['read_file'] }, settings);
  const { talk } = await compare(workspace);
  expect(talk).toMatch(/compressed.*requested by its model/);
  const bodies = model.requests.map(({ body }) => body);
  expect(bodies.filter(({ tools }) => tools === undefined)).toHaveLength(1);
  expect(JSON.stringify(bodies[0]?.['tools'])).toMatch(/"compress_context".*"read_file"/);
  expect(saidIn(bodies.at(-2))).toContain(textOf('a'));
  const last = saidIn(bodies.at(-1));
  expect([last.includes('Findings: all read.'), last.includes(textOf('a'))]).toEqual([true, false]);
  expect(last).toContain('Your earlier turns are summarised after this turn');
});

test('the provider that the settings name writes the summary, with its own key, model and prices; the budget pays (S001-59) (setting: agent.compress_provider)', async () => {
  const model = await startModel(answering(NAMES.map((name) => readsOver(`${name}.txt`, 18_000))));
  const small = await startModel([
    chatTurn({ content: 'Findings: by the small one.' }, { usage: usageOf(1_000_000) }),
  ]);
  const workspace = await workspaceWith(
    { base_url: model.url, context_tokens: 20_000 },
    {
      files: FILES,
      budget: 2,
      agent: { compress_provider: 'small' },
      others: {
        small: {
          api: 'openai-chat',
          base_url: small.url,
          model: 'tiny',
          api_key_env: 'SMALL_KEY',
          prices: { input_per_million: 3, output_per_million: 3 },
        },
      },
    },
  );
  const terminal = createTestTerminal(workspace, { env: { SMALL_KEY: 'key-of-small' } });
  const { talk } = await terminal.signalbox('run', 'Compare', '-p', 'gate', '--until', 'true');
  expect(small.requests).toMatchObject([
    { headers: { authorization: 'Bearer key-of-small' }, body: { model: 'tiny' } },
  ]);
  expect(model.requests.every(({ body }) => body['tools'] !== undefined)).toBe(true);
  expect(talk).toContain('budget');
  const { out } = await terminal.signalbox('stats', '--json');
  expect(JSON.parse(out)).toMatchObject({
    modelRequests: [
      { purpose: 'compress', asked: 'small', requests: 1, failed: 0, costUsd: expect.closeTo(3, 3) },
    ],
    compressions: { triggered: 1, manual: 0, autonomous: 0, cut: 0 },
  });
});

test('a named provider without a key, or one that does not exist, is reported before the work begins', async () => {
  const run = async (agent: object, ...argv: readonly string[]) =>
    createTestTerminal(await workspaceWith({ base_url: 'http://127.0.0.1:9' }, { agent })).signalbox(...argv);
  const start = ['run', 'Compare', '-p', 'gate'] as const;
  expect((await run({ compress_provider: 'openai' }, ...start)).talk).toContain('OPENAI_API_KEY is not set');
  expect((await run({ compress_provider: 'opnai' }, ...start)).talk).toMatch(
    /agent\.compress_provider.*"opnai" is not a provider.*openai/s,
  );
  const { out } = await run({ compress_provider: 'openai' }, 'doctor');
  expect(out).toMatch(/OPENAI_API_KEY is not set, and agent\.compress_provider names it/);
  const embedding = (id: string) => ({ tool_filter: { enabled: true, embed_provider: id } });
  expect((await run(embedding('opnai'), ...start)).talk).toContain('"opnai" is not a provider');
  expect((await run(embedding('openai'), 'doctor')).out).toMatch(
    /OPENAI_API_KEY is not set, and agent\.tool_filter\.embed_provider names it/,
  );
});

test('a write after a compression is still checked against what the session last read, and an edited file is still shown', async () => {
  const edit = chatTurn(callOf('edit_file', { path: 'a.txt', oldText: 'text of a: ', newText: 'new a: ' }));
  const stale = chatTurn(callOf('write_file', { path: 'b.txt', content: 'mine' }));
  const files = { ...FILES, 'a.txt': 'text of a: short\n' };
  const turns = [
    ...['b', 'a'].map((name) => readsOver(`${name}.txt`)),
    edit,
    ...['c', 'd', 'e'].map((name) => readsOver(`${name}.txt`)),
  ];
  let workspace = '';
  const answer = answering([...turns, compresses(), stale]);
  const model = await startModel((body) => {
    // A person changes the file while the summary is written.
    if (body['tools'] === undefined) writeFileSync(join(workspace, 'b.txt'), 'changed by ana\n');
    return answer(body);
  });
  workspace = await workspaceWith({ base_url: model.url }, { files });
  await compare(workspace);
  const [after, last] = model.requests.slice(-2).map(({ body }) => saidIn(body));
  expect([after?.includes('text of a: short'), after?.includes('new a: ')]).toEqual([true, true]);
  expect(last).toMatch(/b\.txt.*changed/);
  expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('changed by ana\n');
});

// It starts a coordinator three times.
test(
  'a person has a conversation compressed while a session works; status, stats and the transcript say so, also after a restart (S001-57)',
  { timeout: 180_000 },
  async () => {
    const waits = chatTurn(callOf('bash', { line: 'until ls | grep -qx go; do sleep 0.05; done' }));
    const reached = Promise.withResolvers<void>();
    const answer = answering([...NAMES.map((name) => readsOver(`${name}.txt`)), waits]);
    let requests = 0;
    const model = await startModel((body) => {
      requests += 1;
      if (requests === NAMES.length + 1) reached.resolve();
      return answer(body);
    });
    const workspace = await workspaceWith({ base_url: model.url }, { files: FILES });
    const terminal = createTestTerminal(workspace);
    const running = terminal.signalbox('run', 'Compare', '-p', 'gate', '--until', 'true');
    await reached.promise;
    const asked = await terminal.signalbox('compress', '@last', '--json');
    expect(asked).toMatchObject({ exit: 0, out: expect.stringMatching(/"session":"ses_/) });
    const { session } = JSON.parse(asked.out) as { session: string };
    writeFileSync(join(workspace, 'go'), '');
    expect((await running).talk).toMatch(/compressed.*requested by ana/);
    expect(saidIn(model.requests.at(-1)?.body)).toContain('Findings: all read.');
    for (const restarts of [0, 1]) {
      if (restarts > 0) await terminal.stopCoordinator();
      const shown = await terminal.signalbox('status', session);
      expect(shown.out).toMatch(/Compressed \(manual\)\s+[\d,]+ to [\d,]+ tokens; requested by ana/);
      const stats = JSON.parse((await terminal.signalbox('stats', '--json')).out) as object;
      expect(stats).toMatchObject({ compressions: { manual: 1, triggered: 0 } });
    }
    // What the summary stands for is kept for people.
    const kept = await terminal.signalbox('history', '--session', session, '--json');
    for (const name of NAMES) expect(kept.out).toContain(textOf(name));
    const gone = await terminal.signalbox('compress', session);
    expect([gone.exit, gone.talk]).toEqual([6, expect.stringContaining('no-coordinator')]);
  },
);

test('a coordinator that stops while a summary is written leaves the transcript as it was', async () => {
  const reached = Promise.withResolvers<void>();
  const answer = answering(NAMES.map((name) => readsOver(`${name}.txt`, 18_000)));
  const model = await startModel((body) => {
    if (body['tools'] !== undefined) return answer(body);
    reached.resolve();
    return { hang: true };
  });
  const workspace = await workspaceWith({ base_url: model.url, context_tokens: 20_000 }, { files: FILES });
  const terminal = createTestTerminal(workspace);
  const running = terminal.signalbox('run', 'Compare', '-p', 'gate', '--until', 'true');
  await reached.promise;
  await terminal.stopCoordinator();
  await running;
  const { out } = await terminal.signalbox('stats', '--json');
  expect(JSON.parse(out)).toMatchObject({ compressions: { triggered: 0, cut: 0, tokensRemoved: 0 } });
});
