import { type ChatMessage, LLMock } from '@copilotkit/aimock';

type ModelCall = Readonly<{ tool: string; args: Readonly<Record<string, unknown>> }>;

/** A model's turn: its calls, made when it has the results of its last ones, as one text. */
export type OutsideTurn = (results: string) => readonly ModelCall[] | Promise<readonly ModelCall[]>;

/** Models of two vendors on one server, each behind the API of its vendor. */
export type ScriptedModels = Readonly<{ chatUrl: string; messagesUrl: string; stop(): Promise<unknown> }>;

/**
 * Starts a third-party server with scripted models: Chat Completions for `gpt-…`, Messages for `claude-…`. After its
 * last turn a model says that it is done.
 *
 * @param keys the only API keys that are accepted
 */
export async function startModels(
  scripts: Readonly<{ gpt: readonly OutsideTurn[]; claude: readonly OutsideTurn[] }>,
  keys: readonly string[],
): Promise<ScriptedModels> {
  const mock = new LLMock({ port: 0, auth: { apiKeys: keys } });
  mock.addFixture({
    match: { predicate: () => true },
    async response({ model, messages }) {
      const script = model.startsWith('gpt') ? scripts.gpt : scripts.claude;
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      const calls = (await script[turn]?.(lastResults(messages))) ?? [];
      if (calls.length === 0) return { content: 'Done.' };
      return {
        toolCalls: calls.map(({ tool, args }, n) => ({
          id: `call_${turn}_${n}`,
          name: tool,
          arguments: JSON.stringify(args),
        })),
      };
    },
  });
  await mock.start();
  return { chatUrl: `${mock.url}/v1`, messagesUrl: mock.url, stop: () => mock.stop() };
}

/** The server reads the messages of both vendors into the form of Chat Completions. */
function lastResults(messages: readonly ChatMessage[]): string {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  return messages
    .slice(from)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n');
}
