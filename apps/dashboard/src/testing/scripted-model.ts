import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model's text in one turn, and its calls. */
export type ModelTurn = Readonly<{
  says: string;
  calls?: readonly Readonly<{ tool: string; args: Readonly<Record<string, string>> }>[];
}>;

/** A model behind OpenAI's chat protocol that sends its turns in sequence. */
export async function openScriptedModel(
  turns: readonly ModelTurn[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      const { messages } = JSON.parse(await textOf(request)) as { messages: readonly { role: string }[] };
      const turn = turns[messages.filter(({ role }) => role === 'assistant').length];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const frame of framesOf(turn ?? { says: 'Done.' })) {
        response.write(`data: ${JSON.stringify(frame)}\n\n`);
      }
      response.end('data: [DONE]\n\n');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  return text;
}

function framesOf({ says, calls = [] }: ModelTurn): readonly object[] {
  const chunk = (choices: readonly object[], more: object = {}): object => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices,
    ...more,
  });
  const asked = calls.map(({ tool, args }, index) => ({
    index,
    id: `call_${index + 1}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  return [
    chunk([{ index: 0, delta: { role: 'assistant', content: says }, finish_reason: null }]),
    ...(asked.length === 0 ? [] : [chunk([{ index: 0, delta: { tool_calls: asked }, finish_reason: null }])]),
    chunk([{ index: 0, delta: {}, finish_reason: asked.length === 0 ? 'stop' : 'tool_calls' }]),
    chunk([], { usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 } }),
  ];
}
