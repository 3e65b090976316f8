import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { plainErrorFacts, type ErrorFacts } from '../turn/error-facts.ts';

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
