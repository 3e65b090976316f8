import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createScriptedServer, startHttpServer } from '@signalbox/mcp-tools/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { overHttp } from '../../testing/mcp-doors.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { LOG_TASK, runRecordedSession } from './recorded-session.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

const filterOf = (more: object = {}): Readonly<Record<string, unknown>> => ({
  agent: { tool_filter: { enabled: true, top_k: 2, always_on: [], never_left_out: [], ...more } },
});

test('a session is offered only the tools that fit its task, the same at each turn (S001-73, S001-74, S001-78) (setting: agent.tool_filter.enabled, agent.tool_filter.top_k, agent.tool_filter.never_left_out)', async () => {
  const two = await runRecordedSession(filterOf(), { turns: [{ tool: 'get_current_time', args: {} }] });
  const [first = [], second] = two.offers;
  expect(first).toEqual(expect.arrayContaining(['find_tools', 'git_log']));
  expect([first.length, first.includes('get_current_time')]).toEqual([3, false]);
  // A tool that was left out works, and is offered from then on.
  expect(two.answersTo(1).join('\n')).not.toContain('[tool_error]');
  expect(second).toEqual([...first, 'get_current_time'].toSorted());
  const one = await runRecordedSession(filterOf({ top_k: 1, never_left_out: ['read_*'] }));
  expect(one.offers[0]).toEqual(['find_tools', 'git_log', 'read_file', 'read_output']);
});

test('tools that are always on or named by the task are offered, and unlike ones are not (S001-74, S001-93) (setting: agent.tool_filter.always_on, agent.tool_filter.min_similarity)', async () => {
  const { offers } = await runRecordedSession(
    filterOf({ always_on: ['delete_file'], min_similarity: 0.9, top_k: 5 }),
    { task: `${LOG_TASK} and run_linter` },
  );
  expect(offers[0]).toEqual(['delete_file', 'find_tools', 'git_log', 'run_linter']);
});

test('tools of MCP servers are filtered, and those whose descriptions are too short to rank are offered (S001-74) (setting: agent.tool_filter.min_description_words)', async () => {
  const server = await startHttpServer(() => createScriptedServer({ isHostile: true }), { era: '2025' });
  onTestFinished(() => server.close());
  const seen: (readonly string[])[] = [];
  for (const min_description_words of [3, 4]) {
    const { offers } = await runRecordedSession({
      ...filterOf({ top_k: 1, min_description_words }),
      mcp_servers: { one: { url: server.url } },
    });
    seen.push((offers[0] ?? []).filter((name) => ['mcp__one__echo', 'mcp__one__sum'].includes(name)));
  }
  expect(seen).toEqual([['mcp__one__sum'], ['mcp__one__echo', 'mcp__one__sum']]);
});

test('an agent over MCP may be offered built-in tools, and find those of servers itself (S001-80) (setting: agent.tool_filter.without_task)', async () => {
  const server = await startHttpServer(() => createScriptedServer({}), { era: '2025' });
  onTestFinished(() => server.close());
  await using own = await openTestServer({
    settings: {
      ...FREE,
      agent: { tool_filter: { enabled: true, without_task: 'search' } },
      mcp_servers: { one: { url: server.url, policy: 'auto' } },
    },
  });
  const { tools } = own.of.runtime.coordinator;
  await vi.waitFor(() => expect(tools.get('mcp__one__echo')).toBeDefined(), 20_000);
  const client = await overHttp(own, 'legacy');
  const names = async (): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name.replace('signalbox_', ''));
  const before = await names();
  expect(before).toEqual(expect.arrayContaining(['bash', 'find_tools', 'git_log']));
  expect(before.filter((name) => name.startsWith('mcp__'))).toEqual([]);
  const find = { name: 'signalbox_find_tools', arguments: { query: 'says it again' } };
  expect(JSON.stringify(await client.callTool(find))).toContain('mcp__one__echo');
  await vi.waitFor(async () => expect(await names()).toContain('mcp__one__echo'), 20_000);
  expect(await names()).toEqual(expect.arrayContaining([...before]));
  await client.close();
});

test('find_tools offers what it finds (S001-80)', async () => {
  const { offers, answersTo } = await runRecordedSession(filterOf({ top_k: 1 }), {
    turns: [{ tool: 'find_tools', args: { query: 'delete a text file that was read' } }],
  });
  expect(offers[0]).toEqual(['find_tools', 'git_log']);
  expect(answersTo(1).join('\n')).toContain('delete_file');
  expect(offers[1]).toEqual(expect.arrayContaining(['delete_file', 'find_tools', 'git_log']));
});

/** An embedding server: what a text is about, by words. */
async function startEmbeddings(
  answer: (texts: readonly string[], response: ServerResponse) => void,
): Promise<
  Readonly<{ url: string; received: { path: string; body: { model: string; input: string[] } }[] }>
> {
  const received: { path: string; body: { model: string; input: string[] } }[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('content-type', 'application/json');
    const body = (await json(request)) as { model: string; input: string[] };
    received.push({ path: request.url ?? '', body });
    answer(body.input, response);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, received };
}

const vectorsOf = (texts: readonly string[]): object => ({
  data: texts.map((text, index) => ({
    index,
    embedding: [/commit|log/i.test(text) ? 0 : 1, /names in a directory|folder/i.test(text) ? 1 : 0.1, 0.1],
  })),
  usage: { prompt_tokens: 1000 * texts.length, total_tokens: 1000 * texts.length },
});

const EMBEDDED = filterOf({ top_k: 1, embed_provider: 'vectors', embed_model: 'small' });

test('tools are ranked by the embeddings of a provider, which are stored (S001-73) (setting: agent.tool_filter.embed_provider, agent.tool_filter.embed_model)', async () => {
  const { url, received } = await startEmbeddings((texts, response) =>
    response.end(JSON.stringify(vectorsOf(texts))),
  );
  const task = 'What is in this folder?';
  const { offers, workspace } = await runRecordedSession(EMBEDDED, { task, vectors: url });
  expect(offers[0]).toEqual(['find_tools', 'list_directory']);
  expect(new Set(received.map(({ path, body }) => `${path} ${body.model}`))).toEqual(
    new Set(['/v1/embeddings small']),
  );
  const { signalbox, stopCoordinator } = createTestTerminal(workspace);
  const known = received.length;
  await stopCoordinator();
  await signalbox('run', 'What is in that folder?', '-p', 'local', '--until', 'true');
  // Only the task is new.
  expect(received.slice(known).map(({ body }) => body.input)).toEqual([['What is in that folder?']]);
  const status = await signalbox('status');
  expect(status.out).toMatch(/Filter: top_k=1, always_on=0, embeddings=\d\d/);
});

test('requests for embeddings are counted, with their tokens and cost, failed ones too (B8)', async () => {
  const { url, received } = await startEmbeddings((texts, response) => {
    if (texts.join().includes('crash')) response.writeHead(500);
    response.end(JSON.stringify(vectorsOf(texts)));
  });
  const settings = {
    ...EMBEDDED,
    providers: { vectors: { prices: { input_per_million: 2, output_per_million: 0 } } },
  };
  const { workspace } = await runRecordedSession(settings, { task: 'What is in this folder?', vectors: url });
  const { signalbox } = createTestTerminal(workspace);
  await signalbox('run', 'What does the crash mean?', '-p', 'local', '--until', 'true');
  const { modelRequests } = JSON.parse((await signalbox('stats', '--json')).out) as {
    modelRequests: readonly unknown[];
  };
  const texts = received.flatMap(({ body }) => body.input).filter((text) => !text.includes('crash'));
  expect(modelRequests).toEqual([
    expect.objectContaining({
      purpose: 'embed',
      asked: 'vectors',
      requests: received.length,
      failed: 1,
      usage: expect.objectContaining({ inputTokens: 1000 * texts.length, outputTokens: 0 }),
      costUsd: expect.closeTo(0.002 * texts.length, 6),
    }),
  ]);
});

test('a dead embedding server leaves a session all tools, with one warning (S001-80)', async () => {
  const { url } = await startEmbeddings((_, response) => response.writeHead(500).end('{}'));
  const { offers, workspace } = await runRecordedSession(EMBEDDED, {
    turns: [{ tool: 'git_status', args: {} }],
    vectors: url,
  });
  expect(offers[0]?.length).toBeGreaterThan(10);
  expect(offers[1]).toEqual(offers[0]);
  const log = readFileSync(join(workspace, '.signalbox/log.jsonl'), 'utf8');
  expect(log.split('tools not ranked').length - 1).toBe(1);
});

test('tools that prefer what was called are ranked higher (S001-91) (setting: tools.dependencies.boost_per_dep, tools.dependencies.max_total_boost)', async () => {
  const seen: unknown[] = [];
  for (const [boost_per_dep, max_total_boost] of [
    [1, 1],
    [0, 1],
    [1, 0],
  ]) {
    const rules = { delete_file: { prefers: ['git_status'] } };
    const tools = { dependencies: { enabled: true, rules, boost_per_dep, max_total_boost } };
    const { offers } = await runRecordedSession(
      { ...filterOf({ top_k: 1 }), tools },
      { turns: [{ tool: 'git_status', args: {} }] },
    );
    seen.push(offers.map((names) => names.includes('delete_file')));
  }
  expect(seen).toEqual([
    [false, true],
    [false, false],
    [false, false],
  ]);
});
