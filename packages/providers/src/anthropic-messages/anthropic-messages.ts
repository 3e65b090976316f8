import Anthropic, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from '@anthropic-ai/sdk';
import type { Clock, Provider } from '@signalbox/core';
import * as z from 'zod';
import { checkBaseUrl } from '../turn/base-url.ts';
import { createCallIds } from '../turn/call-ids.ts';
import { type ErrorFacts, plainErrorFacts } from '../turn/error-facts.ts';
import { streamTurn } from '../turn/stream-turn.ts';
import { withoutRedirects } from '../turn/without-redirects.ts';
import { createMessageAccumulator } from './message-accumulator.ts';
import { MessagesQuirks } from './messages-quirks.ts';
import { toMessagesBody } from './to-messages-body.ts';

export type AnthropicMessagesOptions = {
  readonly id: string;
  /** May be empty: local servers need no key. */
  readonly apiKey: string;
  /** Without `/v1`. Default `https://api.anthropic.com`. */
  readonly baseUrl?: string | undefined;
  readonly quirks?: z.input<typeof MessagesQuirks> | undefined;
  readonly clock: Clock;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/**
 * Creates a provider for Anthropic's Messages API, or a server compatible with it (B1).
 *
 * @throws {UsageError} `bad-base-url`
 */
export function createAnthropicMessages(options: AnthropicMessagesOptions): Provider {
  const { id, apiKey, clock } = options;
  const quirks = MessagesQuirks.parse(options.quirks ?? {});
  const client = new Anthropic({
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: checkBaseUrl(id, options.baseUrl ?? 'https://api.anthropic.com'),
    defaultHeaders: quirks.headers,
    maxRetries: 0,
    logLevel: 'off',
    fetch: withoutRedirects(options.fetch),
    // Otherwise the SDK reads these from the environment.
    authToken: null,
    webhookKey: null,
  });
  return {
    id,
    stream: (request, limits) =>
      streamTurn({
        providerId: id,
        apiKey,
        clock,
        limits,
        accumulator: createMessageAccumulator(createCallIds(request.messages)),
        factsOf: anthropicErrorFacts,
        open: (signal) =>
          client.messages.create(
            toMessagesBody(request, quirks) as unknown as Anthropic.MessageCreateParamsStreaming,
            // Our own limit fires first. Without this the SDK times out after 10 minutes.
            { signal, timeout: limits.totalMs + 60_000 },
          ),
      }),
  };
}

/** Reads the facts of an error thrown by Anthropic's SDK. */
function anthropicErrorFacts(error: unknown): ErrorFacts {
  if (error instanceof APIConnectionTimeoutError) {
    return { message: error.message, connection: 'timeout' };
  }
  if (error instanceof APIConnectionError || error instanceof APIUserAbortError) {
    const facts = plainErrorFacts(error);
    return { ...facts, connection: facts.connection ?? 'failed' };
  }
  if (error instanceof APIError) {
    const status: number | undefined = error.status;
    const headers: Headers | undefined = error.headers;
    return {
      message: error.apiMessage ?? error.message,
      status,
      type: error.type ?? undefined,
      code: error.errorCode ?? undefined,
      headers,
      requestId: error.requestID ?? undefined,
    };
  }
  return plainErrorFacts(error);
}
