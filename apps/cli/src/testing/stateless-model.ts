import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { answerChat } from './recorded-frames.ts';
import { listen, type ModelCall } from './recorded-model.ts';

const Message = z.object({
  role: z.string(),
  content: z.unknown(),
  tool_call_id: z.string().optional(),
});

/** A request for a turn. */
export type TurnRequested = Readonly<{
  /** From 1: one more than the answers in the conversation. */
  turn: number;
  messages: readonly z.infer<typeof Message>[];
}>;

export type StatelessModel = Readonly<{
  url: string;
  /** All requests, in order, answered or not. */
  requests: readonly TurnRequested[];
}>;

/** What happens around an answer. */
type Around = Readonly<{
  /** Before the answer is sent; false: it never is. */
  before?: (request: TurnRequested) => Promise<boolean>;
  after?: (request: TurnRequested) => void;
}>;

/**
 * A model behind Chat Completions whose answer follows from the conversation alone: whoever asks it again for the same
 * turn gets the same calls. After the last list of calls it says that it is done.
 */
export async function startStatelessModel(
  turns: readonly (readonly ModelCall[])[],
  { before = async () => true, after = () => undefined }: Around = {},
): Promise<StatelessModel> {
  const requests: TurnRequested[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { messages } = z.object({ messages: z.array(Message) }).parse(await json(request));
    const turn = 1 + messages.filter(({ role }) => role === 'assistant').length;
    const requested = { turn, messages };
    requests.push(requested);
    if (!(await before(requested))) return void response.destroy();
    const calls = (turns[turn - 1] ?? []).map((call, n) => ({ ...call, id: `call_${turn}_${n}` }));
    answerChat(response, { calls, thinks: '', usage: { inputTokens: 10, outputTokens: 1 } });
    after(requested);
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return { url: `${await listen(server)}/v1`, requests };
}

/** What the model was told about each of its calls, by id. */
export function resultsIn(request: TurnRequested | undefined): ReadonlyMap<string, string> {
  return new Map(
    (request?.messages ?? []).flatMap(({ tool_call_id: id, content }) =>
      id === undefined ? [] : [[id, typeof content === 'string' ? content : JSON.stringify(content)]],
    ),
  );
}
