import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FixtureResponse, LLMock } from '@copilotkit/aimock';
import * as z from 'zod';
import type { RealAgent } from './agents.ts';

export type ScriptedModel = Readonly<{
  url: string;
  requests: () => number;
  /** Names of the tools that the agent offered its model. */
  offered: () => readonly string[];
  close(): Promise<void>;
}>;

/**
 * A model on loopback that speaks every vendor's protocol: it calls a tool of the agent's own, then ours, then is done.
 *
 * @param lines what each of the two calls runs.
 */
export async function startScriptedModel(
  agent: RealAgent,
  prompt: string,
  lines: { readonly own: string; readonly ours: string },
): Promise<ScriptedModel> {
  const mock = new LLMock({ port: 0 });
  const after = (results: number, response: FixtureResponse): void => {
    mock.addFixture({
      match: {
        predicate: ({ messages }) =>
          JSON.stringify(messages).includes(prompt) &&
          messages.filter(({ role }) => role === 'tool').length === results,
      },
      response,
    });
  };
  after(0, { toolCalls: [{ id: 'call_own', ...agent.own(lines.own) }] });
  after(1, { toolCalls: [{ id: 'call_ours', ...agent.ours(lines.ours) }] });
  after(2, { content: 'Done.' });
  mock.addFixture({ match: {}, response: { content: 'ok' } });
  await mock.start();
  const door = await openNamespaceDoor(mock.url);
  return {
    url: door.url,
    requests: () => mock.getRequests().length,
    offered: () => [...new Set(mock.getRequests().flatMap(({ body }) => toolNamesIn(body)))],
    async close() {
      await door.close();
      await mock.stop();
    },
  };
}

/** The mock has brought every vendor's way to one. */
const Offering = z.object({ tools: z.array(z.object({ function: z.object({ name: z.string() }) })) });

function toolNamesIn(body: unknown): readonly string[] {
  return Offering.safeParse(body).data?.tools.map(({ function: { name } }) => name) ?? [];
}

/** Codex takes calls of MCP tools by namespace and name, which the mock can't send. */
async function openNamespaceDoor(target: string): Promise<{ url: string; close(): Promise<void> }> {
  const door = createServer((incoming, answer) => {
    const { host: _host, ...headers } = incoming.headers;
    const onward = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers },
      (response) => {
        if (!incoming.url?.includes('/responses')) {
          answer.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(answer);
          return;
        }
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          const { 'content-length': _length, ...rest } = response.headers;
          answer.writeHead(response.statusCode ?? 500, rest);
          answer.end(text.replaceAll('"name":"mcp__signalbox__', '"namespace":"mcp__signalbox","name":"'));
        });
      },
    );
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        door.close(() => resolve());
        door.closeAllConnections();
      }),
  };
}
