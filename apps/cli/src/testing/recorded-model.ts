import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { writeOwnSettings } from './own-settings.ts';
import { ownWorkspace } from './own-workspace.ts';
import { answerChat, answerMessages, type RecordedTurn } from './recorded-frames.ts';

const Offered = z.object({ name: z.string(), description: z.string() });

/** Of both protocols; a tool of Messages has no wrapper. */
const Request = z.object({
  model: z.string(),
  temperature: z.number().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z
    .array(
      z.union([
        z.object({ function: Offered.extend({ parameters: z.unknown() }) }),
        Offered.extend({ input_schema: z.unknown() }).transform(({ input_schema, ...tool }) => ({
          function: { ...tool, parameters: input_schema },
        })),
      ]),
    )
    .default([]),
});

/** A session's request to its model. */
export type RecordedRequest = z.infer<typeof Request>;
export type ModelCall = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/** A request as the server received it. */
export type ReceivedRequest = Readonly<{
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}>;

export type RecordedModel = {
  /** For Chat Completions; for Messages it is {@link root}. */
  readonly url: string;
  readonly root: string;
  /** Every request for a turn, in order. */
  readonly requests: readonly RecordedRequest[];
  /** The same, whole. */
  readonly received: readonly ReceivedRequest[];
  /** The answers to the calls of that turn (from 1), from the model's next request. */
  answersTo(turn: number): readonly string[];
};

/** A turn: its calls, made once the request has arrived. */
type Turn = (request: RecordedRequest) => readonly ModelCall[] | Promise<readonly ModelCall[]>;

/** A request of Signalbox to correct arguments, which is no turn: this model has no correction. */
function isRepair({ tools, messages }: RecordedRequest): boolean {
  return (
    tools.length === 0 && JSON.stringify(messages[0]?.content).includes('correct the arguments of a tool')
  );
}

/**
 * A model behind Chat Completions and Messages that makes these calls, one list per turn, and records its requests.
 *
 * @param more `failures`: how many requests are first answered with status 500
 */
export async function startRecordedModel(
  turns: readonly Turn[],
  more: Partial<Pick<RecordedTurn, 'thinks' | 'usage'> & Readonly<{ failures: number }>> = {},
): Promise<RecordedModel> {
  const { thinks = '', usage = { inputTokens: 0, outputTokens: 0 }, failures = 0 } = more;
  const requests: RecordedRequest[] = [];
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request;
    const body = await json(request);
    const asked = Request.parse(body);
    received.push({ path, headers, body });
    if (received.length <= failures) return void response.writeHead(500).end('{}');
    const respond = path.endsWith('/messages') ? answerMessages : answerChat;
    if (isRepair(asked)) return respond(response, { calls: [], thinks: '', usage });
    requests.push(asked);
    const turn = requests.length;
    const made = (await turns[turn - 1]?.(asked)) ?? [];
    const calls = made.map((call, index) => ({ ...call, id: `call_${turn}_${index}` }));
    respond(response, { calls, thinks, usage });
  }
  const root = await listen(server);
  return {
    url: `${root}/v1`,
    root,
    requests,
    received,
    answersTo(turn) {
      const messages = requests[turn]?.messages ?? [];
      const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
      return messages
        .slice(from)
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
    },
  };
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

/** Has a server listen on this machine until the test ends; returns its address. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://127.0.0.1:${port}`;
}
