import { UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { fetchAt } from '../client/fetch-at.ts';
import type { LocalAccess } from './local-access.ts';

const Problem = z.object({
  title: z.string(),
  code: z.string(),
  why: z.array(z.string()),
  next: z.array(z.string()),
});

type Request = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Who asks, as the audit names it; default: a subcommand. */
  readonly channel?: 'cli' | 'mcp' | 'terminal';
  /** Hears of which moment the answer is, epoch ms, when it is not of now: the server's backend is away. */
  readonly onAsOf?: (asOf: number) => void;
};

const Health = z.object({ away: z.object({}).nullish() });

const UNAVAILABLE = 503;
const HEALTH_WITHIN_MS = 1000;

/** Whether it answers, and its backend does not. */
export async function isBackendAway(access: LocalAccess): Promise<boolean> {
  const signal = AbortSignal.timeout(HEALTH_WITHIN_MS);
  const health = await fetchAt(access, '/health', { signal })
    .then((response) => response.json())
    .catch(() => null);
  return Health.safeParse(health).data?.away != null;
}

/**
 * Sends a request to the server of the workspace.
 *
 * @throws {UnavailableError} `no-answer` when it cannot be reached, or what keeps it from answering now.
 * @throws {UsageError} what it says against it.
 */
export async function askServer<Answer>(
  access: LocalAccess,
  request: Request,
  answer: z.ZodType<Answer>,
): Promise<Answer> {
  const { url } = access;
  const { status, text } = await sent(access, request);
  const body = jsonOf(text);
  if (status < 200 || status >= 300) throw refusalOf(url, status, body);
  const answered = answer.safeParse(body);
  if (answered.success) return answered.data;
  throw notUnderstood(url, answered.error);
}

/** What a server says against a request, as an error of our own. */
export function refusalOf(url: string, status: number, body: unknown): UsageError | UnavailableError {
  const problem = Problem.safeParse(body);
  if (!problem.success) return notUnderstood(url, problem.error);
  const { title, code, why, next } = problem.data;
  const details = { why, next };
  return status === UNAVAILABLE
    ? new UnavailableError(code, title, details)
    : new UsageError(code, title, details);
}

async function sent(
  access: LocalAccess,
  { method, path, body, signal, channel = 'cli', onAsOf = () => undefined }: Request,
) {
  try {
    const response = await fetchAt(access, path, {
      method,
      headers: {
        'signalbox-channel': channel,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const asOf = asOfIn(response);
    if (asOf !== null) onAsOf(asOf);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new UnavailableError(
      'no-answer',
      `Cannot reach ${access.socket === undefined ? `the server at ${access.url}` : 'the coordinator'}`,
      {
        why: ['it does not answer; it may have stopped'],
        next: ['signalbox serve'],
        cause: error,
      },
    );
  }
}

/** Null for an answer of now. */
export function asOfIn({ headers }: Pick<Response, 'headers'>): number | null {
  const at = Date.parse(headers.get('signalbox-as-of') ?? '');
  return Number.isNaN(at) ? null : at;
}

/** Null for what is none, which fits no schema of an answer. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A proxy between, another program at that address, or a Signalbox of another version. */
function notUnderstood(url: string, cause: unknown): UnavailableError {
  return new UnavailableError('no-signalbox', `Cannot understand the answer of ${url}`, {
    why: ['another program, a proxy in between, or another version of Signalbox has answered'],
    next: [`look at ${new URL('/health', url).href}`],
    cause,
  });
}
