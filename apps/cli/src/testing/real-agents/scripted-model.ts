import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ChatMessage, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import * as z from 'zod';
import { call, type RealAgent } from './agents.ts';
import type { Scenario } from './scenarios.ts';

export type ScriptedModel = Readonly<{
  url: string;
  /** The request with the answer to that call, counted from 0, as the agent wrote it. */
  requestAfter: (call: number) => string | null;
  /** Whether a request contained that text. The first one may be for a title of the session. */
  wasReported: (text: string) => boolean;
  /** Names of the tools that the agent offered its model. */
  offered: () => readonly string[];
  close(): Promise<void>;
}>;

/**
 * A loopback model that speaks every provider's protocol: it calls one of the agent's own tools, then ours in sequence,
 * and finishes.
 *
 * @param ownLine what the agent's own tool is to run
 */
export async function startScriptedModel(
  agent: RealAgent,
  prompt: string,
  { ownLine, scenarios }: Readonly<{ ownLine: string; scenarios: readonly Scenario[] }>,
): Promise<ScriptedModel> {
  const mock = new LLMock({ port: 0 });
  /** By the number of answers that the model has by then. The mock's own journal omits long requests. */
  const requestsAfter: (string | undefined)[] = [];
  const isOurs = (messages: readonly ChatMessage[]): boolean => JSON.stringify(messages).includes(prompt);
  mock.addFixture({
    match: { predicate: ({ messages }) => isOurs(messages) },
    response: ({ messages }) => next(messages),
  });
  mock.addFixture({ match: {}, response: { content: 'ok' } });

  function next(messages: readonly ChatMessage[]): FixtureResponse {
    const results = messages.filter(({ role }) => role === 'tool');
    requestsAfter[results.length] ??= port.requests.findLast((body) => body.includes(prompt));
    if (results.length === 0) return { toolCalls: [{ id: 'call_own', ...agent.own(ownLine) }] };
    const scenario = scenarios[results.length - 1];
    if (scenario === undefined) return { content: 'Done.' };
    scenario.before?.();
    const last = /cmd_[0-9a-z]{12}/.exec(JSON.stringify(results.at(-1)?.content))?.[0] ?? '';
    const { name, arguments: args } = call(`${agent.prefix}signalbox_${scenario.tool}`, scenario.args(last));
    return { toolCalls: [{ id: `call_${results.length}`, name, arguments: args }] };
  }

  await mock.start();
  const port = await openNamespacePort(mock.url);
  return {
    url: port.url,
    requestAfter: (number) => requestsAfter[number + 1] ?? null,
    wasReported: (words) => port.requests.some((body) => body.includes(words)),
    offered: () => [...new Set(port.requests.flatMap(toolNamesIn))],
    async close() {
      await port.close();
      await mock.stop();
    },
  };
}

/** Tools in the providers' protocols; one without a name is the provider's own, which runs elsewhere. */
const Offered = z.union([
  z.object({ function: z.object({ name: z.string() }) }).transform((tool) => [tool.function.name]),
  z
    .object({ functionDeclarations: z.array(z.object({ name: z.string() })) })
    .transform((tools) => tools.functionDeclarations.map(({ name }) => name)),
  z.object({ name: z.string() }).transform(({ name }) => [name]),
  z.object({ type: z.string() }).transform(({ type }) => [type]),
  z.record(z.string(), z.unknown()).transform((tool) => Object.keys(tool)),
]);
const Offering = z.object({ tools: z.array(Offered) });

function toolNamesIn(body: string): readonly string[] {
  return body.startsWith('{') ? (Offering.safeParse(JSON.parse(body)).data?.tools.flat() ?? []) : [];
}

/**
 * Stores the agents' requests, and writes calls of MCP tools by namespace and name as Codex expects them: the mock
 * can't.
 */
async function openNamespacePort(
  target: string,
): Promise<{ url: string; requests: readonly string[]; close(): Promise<void> }> {
  const requests: string[] = [];

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await text(incoming);
    requests.push(body);
    const { host: _host, 'content-length': _length, ...headers } = incoming.headers;
    const onward = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers });
    onward.end(body);
    const [response] = (await once(onward, 'response')) as [IncomingMessage];
    const said = await text(response);
    const { 'content-length': _said, ...kept } = response.headers;
    answer.writeHead(response.statusCode ?? 500, kept);
    answer.end(
      incoming.url?.includes('/responses') === true
        ? said.replaceAll('"name":"mcp__signalbox__', '"namespace":"mcp__signalbox","name":"')
        : said,
    );
  }

  const server = createServer(
    (incoming, answer) => void pass(incoming, answer).catch(() => answer.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
