import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TokenRegistry } from '@signalbox/server/access';
import { COMMAND_META, TOOL_PREFIX } from '@signalbox/server/mcp';
import * as z from 'zod';
import { callOf, providerOf } from './call-of.ts';
import type { BenchAnswer, BenchClient } from './bench-client.ts';

/** Longer than the coordinator lets an agent wait for one answer. */
const TIMEOUT_MS = 120_000;

const Answered = z.object({ id: z.string(), status: z.string(), outcome: z.string().nullable() });

/**
 * Calls over MCP, each agent over its own connection, as coding agents do. An agent sees only the result of its call
 * and would not see that of a cancelled one, so no agent cancels here.
 */
export function createMcpClient(options: {
  readonly url: string;
  readonly tokens: Pick<TokenRegistry, 'create'>;
}): BenchClient {
  const clients = new Map<number, Promise<Client>>();

  async function connect(agent: number): Promise<Client> {
    const provider = providerOf(agent);
    const { token } = await options.tokens.create({
      kind: 'made',
      name: provider,
      role: 'provider',
      provider,
      lifetimeMs: null,
    });
    const client = new Client({ name: 'signalbox-bench', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', options.url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    return client;
  }

  function clientOf(agent: number): Promise<Client> {
    const known = clients.get(agent) ?? connect(agent);
    clients.set(agent, known);
    return known;
  }

  async function call(agent: number, name: string, args: Readonly<Record<string, unknown>>) {
    const client = await clientOf(agent);
    const answer = await client.callTool(
      { name: TOOL_PREFIX + name, arguments: { ...args } },
      { timeout: TIMEOUT_MS },
    );
    return { answered: Answered.parse(answer._meta?.[COMMAND_META]), content: answer.content };
  }

  async function untilDone(agent: number, sent: ReturnType<typeof call>): Promise<BenchAnswer> {
    let { answered, content } = await sent;
    while (answered.outcome === null) {
      ({ answered, content } = await call(agent, 'wait', { command: answered.id, seconds: 45 }));
    }
    const message = answered.outcome === 'completed' ? null : JSON.stringify(content).slice(0, 500);
    return { commandId: answered.id, outcome: answered.outcome, message };
  }

  return {
    send(command) {
      const { tool, args } = callOf(command);
      return {
        rested: null,
        answer: untilDone(command.agent, call(command.agent, tool, args)),
        cancel: () => Promise.resolve(),
      };
    },
    async close() {
      for (const client of clients.values()) await (await client).close();
    },
  };
}
