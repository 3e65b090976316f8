import { UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { LocalAccess } from './local-access.ts';

const Problem = z.object({
  title: z.string(),
  code: z.string(),
  why: z.array(z.string()),
  next: z.array(z.string()),
});

/** Whether a server stands behind it still. */
export async function isAnswering({ url }: LocalAccess): Promise<boolean> {
  const health = await fetch(new URL('/health', url)).catch(() => null);
  return health?.ok === true;
}

/**
 * Sends a request to the server of the workspace.
 *
 * @throws {UnavailableError} `no-answer` when it cannot be reached. @throws {UsageError} what it says against it.
 */
export async function askServer<Answer>(
  { url, token }: LocalAccess,
  request: {
    readonly method: 'GET' | 'POST' | 'PUT';
    readonly path: string;
    readonly body?: unknown;
    readonly signal?: AbortSignal;
  },
  answer: z.ZodType<Answer>,
): Promise<Answer> {
  const response = await fetch(new URL(request.path, url), {
    method: request.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  }).catch((error: unknown) => {
    throw new UnavailableError('no-answer', `Cannot reach the server at ${url}`, {
      why: ['it does not answer; it may have stopped'],
      next: ['signalbox serve'],
      cause: error,
    });
  });
  const body: unknown = await response.json();
  if (response.ok) return answer.parse(body);
  const { title, code, why, next } = Problem.parse(body);
  throw new UsageError(code, title, { why, next });
}
