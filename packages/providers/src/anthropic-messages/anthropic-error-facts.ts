import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from '@anthropic-ai/sdk';
import { plainErrorFacts, type ErrorFacts } from '../turn/error-facts.ts';

/** Reads the facts of an error thrown by Anthropic's SDK. */
export function anthropicErrorFacts(error: unknown): ErrorFacts {
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
