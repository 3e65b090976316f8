import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';

/** A request as it came over the wire. */
type ModelServerRequest = Readonly<{
  path: string;
  headers: IncomingHttpHeaders;
  body: Readonly<Record<string, unknown>>;
  /** By the monotonic clock, in milliseconds. */
  at: number;
}>;

/** An answer: its pieces with their delays, or a status. `hang` never ends it. */
export type ScriptedAnswer = Readonly<{
  status?: number;
  /** Of a redirect. */
  location?: string;
  pieces?: readonly string[];
  pauseMs?: number;
  hang?: boolean;
}>;

const chunk = (choice: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, ...choice }], ...more })}\n\n`;

/** A turn of Chat Completions that says this, or makes one call. */
export function chatTurn(
  delta: object = { content: 'Done.' },
  { usage }: Readonly<{ usage?: object }> = {},
): ScriptedAnswer {
  const finish = 'tool_calls' in delta ? 'tool_calls' : 'stop';
  return {
    pieces: [
      chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null }),
      chunk({ delta: {}, finish_reason: finish }, usage === undefined ? {} : { usage }),
      'data: [DONE]\n\n',
    ],
  };
}

/** A call of a tool, as a delta. */
export function callOf(name: string, args: object): object {
  return {
    tool_calls: [
      { index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
    ],
  };
}

/** A model server whose answers are these, in order; after them `Done.` Or by the request, and how many came before. */
export async function startModel(
  answers:
    | readonly ScriptedAnswer[]
    | ((body: ModelServerRequest['body'], before: number) => ScriptedAnswer) = [],
): Promise<Readonly<{ url: string; requests: readonly ModelServerRequest[] }>> {
  const requests: ModelServerRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request)) as ModelServerRequest['body'];
      requests.push({ path: request.url ?? '', headers: request.headers, body, at: performance.now() });
      const {
        status = 200,
        location,
        pieces = [],
        pauseMs = 0,
        hang = false,
      } = (typeof answers === 'function'
        ? answers(body, requests.length - 1)
        : answers[requests.length - 1]) ?? chatTurn();
      if (pieces.length > 0 || status !== 200)
        response.writeHead(status, {
          'content-type': 'text/event-stream',
          ...(location === undefined ? {} : { location }),
        });
      for (const piece of pieces) {
        response.write(piece);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      if (!hang) response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, requests };
}

/** A workspace with that provider, named `gate`, and settings of the user. */
export async function workspaceWith(
  provider: object,
  {
    files = {},
    others = {},
    ...settings
  }: Readonly<
    Record<string, unknown> & {
      files?: Readonly<Record<string, string>>;
      /** Further providers. */
      others?: Readonly<Record<string, object>>;
    }
  > = {},
): Promise<string> {
  const workspace = ownWorkspace(files);
  const gate = { api: 'openai-chat', model: 'm', api_key_env: null, ...provider };
  const own = { approval: { approval_mode: 'allow_all' }, ...settings, providers: { gate, ...others } };
  await writeOwnSettings(workspace, { text: JSON.stringify(own) });
  return workspace;
}
