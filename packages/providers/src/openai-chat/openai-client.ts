import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { type ErrorFacts, plainErrorFacts } from '../turn/error-facts.ts';
import { withoutRedirects } from '../turn/without-redirects.ts';

/** OpenAI's SDK without its own retries and without its environment. */
export function createOpenAIClient(options: {
  /** May be empty: local servers need no key. */
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof fetch | undefined;
}): OpenAI {
  return new OpenAI({
    apiKey: options.apiKey === '' ? 'none' : options.apiKey,
    baseURL: options.baseUrl,
    ...(options.headers === undefined ? {} : { defaultHeaders: options.headers }),
    maxRetries: 0,
    logLevel: 'off',
    fetch: withoutRedirects(options.fetch),
    // Otherwise the SDK reads these from the environment.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
  });
}

/** Reads the facts of an error thrown by OpenAI's SDK. */
export function openaiErrorFacts(error: unknown): ErrorFacts {
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
      message: error.message,
      status,
      type: word(error.type),
      code: word(error.code),
      headers,
      requestId: error.requestID ?? undefined,
    };
  }
  return plainErrorFacts(error);
}

/** Some servers send the status number here. */
function word(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
