import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { writeOwnSettings } from './own-settings.ts';
import { ownWorkspace } from './own-workspace.ts';

const Request = z.object({
  model: z.string(),
  temperature: z.number().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z
    .array(
      z.object({
        function: z.object({ name: z.string(), description: z.string(), parameters: z.unknown() }),
      }),
    )
    .default([]),
});

/** A session's request to its model. */
export type RecordedRequest = z.infer<typeof Request>;
export type ModelCall = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

export type RecordedModel = {
  readonly url: string;
  /** Every request, in order. */
  readonly requests: readonly RecordedRequest[];
  /** The answers to the calls of that turn (from 1), from the model's next request. */
  answersTo(turn: number): readonly string[];
};

/** A turn: its calls, made once the request has arrived. */
type Turn = (request: RecordedRequest) => readonly ModelCall[] | Promise<readonly ModelCall[]>;

/** A model behind Chat Completions that makes these calls, one list per turn, and records its requests. */
export async function startRecordedModel(turns: readonly Turn[]): Promise<RecordedModel> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = Request.parse(await json(request));
    requests.push(asked);
    const turn = requests.length;
    const calls = (await turns[turn - 1]?.(asked)) ?? [];
    const delta =
      calls.length === 0
        ? { content: 'Done.' }
        : { tool_calls: calls.map((call, index) => toolCall(call, `call_${turn}_${index}`, { index })) };
    const finish = calls.length === 0 ? 'stop' : 'tool_calls';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame({ delta: { role: 'assistant', ...delta }, finish_reason: null }));
    response.write(frame({ delta: {}, finish_reason: finish }));
    response.end('data: [DONE]\n\n');
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    answersTo(turn) {
      const messages = requests[turn]?.messages ?? [];
      const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
      return messages
        .slice(from)
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
    },
  };
}

function toolCall({ tool, args }: ModelCall, id: string, { index }: Readonly<{ index: number }>): unknown {
  return { index, id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
}

function frame(choice: Readonly<Record<string, unknown>>): string {
  const chunk = {
    id: 'x',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'recorded',
    choices: [{ index: 0, ...choice }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/**
 * A workspace with these files whose providers are recorded models, by name; its settings are `signalbox.yaml`'s data.
 */
export async function workspaceOf(
  models: Readonly<Record<string, RecordedModel>>,
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly local?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<string> {
  const workspace = ownWorkspace(options.files);
  const providers = Object.fromEntries(
    Object.entries(models).map(([id, { url }]) => [
      id,
      {
        api: 'openai-chat',
        base_url: url,
        model: 'recorded',
        api_key_env: null,
        ...ofProvider(options.local, id),
      },
    ]),
  );
  // JSON is YAML.
  await writeOwnSettings(workspace, { text: JSON.stringify({ ...options.local, providers }) });
  return workspace;
}

function ofProvider(local: Readonly<Record<string, unknown>> | undefined, id: string): object {
  const providers = local?.['providers'];
  const own = typeof providers === 'object' && providers !== null ? Reflect.get(providers, id) : undefined;
  return typeof own === 'object' && own !== null ? own : {};
}
