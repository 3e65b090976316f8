import type { Clock, Provider } from '@signalbox/core';
import type OpenAI from 'openai';
import { checkBaseUrl } from '../turn/base-url.ts';
import { createCallIds } from '../turn/call-ids.ts';
import { streamTurn } from '../turn/stream-turn.ts';
import { createChatAccumulator } from './chat-accumulator.ts';
import { type ChatQuirks, chatQuirksAt } from './chat-quirks.ts';
import { createOpenAIClient, openaiErrorFacts } from './openai-client.ts';
import { toChatBody } from './to-chat-body.ts';

export type OpenAIChatOptions = {
  readonly id: string;
  /** May be empty: local servers need no key. */
  readonly apiKey: string;
  /** Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
  readonly quirks?: ChatQuirks | undefined;
  readonly clock: Clock;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/**
 * Creates a provider for the Chat Completions API: OpenAI, and by base URL DeepSeek, Azure OpenAI
 * (`https://NAME.openai.azure.com/openai/v1/`), Ollama (`http://127.0.0.1:11434/v1`), llama.cpp and vLLM (B1).
 *
 * @throws {UsageError} `bad-base-url`
 */
export function createOpenAIChat(options: OpenAIChatOptions): Provider {
  const { id, apiKey, clock } = options;
  const baseUrl = checkBaseUrl(id, options.baseUrl ?? 'https://api.openai.com/v1');
  const quirks = chatQuirksAt(baseUrl, options.quirks);
  const client = createOpenAIClient({ apiKey, baseUrl, headers: quirks.headers, fetch: options.fetch });
  return {
    id,
    stream: (request, limits) =>
      streamTurn({
        providerId: id,
        apiKey,
        clock,
        limits,
        accumulator: createChatAccumulator(createCallIds(request.messages)),
        factsOf: openaiErrorFacts,
        open: (signal) =>
          client.chat.completions.create(
            toChatBody(request, quirks) as unknown as OpenAI.ChatCompletionCreateParamsStreaming,
            // Our own limit fires first. Without this the SDK times out after 10 minutes.
            { signal, timeout: limits.totalMs + 60_000 },
          ),
      }),
  };
}
