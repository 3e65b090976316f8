import {
  type ApiAnswer,
  type ApiRequest,
  CHANNEL_HEADER,
  type Client,
  createClient,
  Problem,
} from '@signalbox/api';
import { UnavailableError, UsageError } from '@signalbox/core';
import type { LocalAccess } from '../serve/local-access.ts';
import { fetchAt } from './fetch-at.ts';

type Options = Readonly<{
  /** Who asks, as the audit names it; default: a subcommand. */
  channel?: 'cli' | 'mcp' | 'terminal';
  /** Hears of which moment an answer is, epoch ms, when it is not of now: the server's backend is away. */
  onAsOf?: (asOf: number) => void;
}>;

/** All that a refusal needs to be told, also one of another version. */
const Refusal = Problem.unwrap().pick({ title: true, code: true, why: true, next: true });

const UNAVAILABLE = 503;
const HEALTH_WITHIN_MS = 1000;

/**
 * The API of that coordinator. Besides an answer that is not understood, its methods throw
 *
 * - {@link UnavailableError} `no-answer` when it cannot be reached, or what keeps it from answering now;
 * - {@link UsageError} for a refusal.
 */
export function clientAt(access: LocalAccess, options: Options = {}): Client {
  return createClient((request) => sendTo(access, request, options));
}

/** Null where it refuses with that code. */
export async function unlessRefused<Answer>(code: string, answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UsageError && error.code === code) return null;
    throw error;
  }
}

/** Whether it answers, and its backend does not. */
export async function isBackendAway(access: LocalAccess): Promise<boolean> {
  const health = await clientAt(access)
    .getHealth({}, AbortSignal.timeout(HEALTH_WITHIN_MS))
    .catch(() => null);
  return health !== null && health.away !== null;
}

/** A refusal, as an error of our own. */
export function refusalOf(url: string, status: number, body: unknown): UsageError | UnavailableError {
  const problem = Refusal.safeParse(body);
  if (!problem.success) return notUnderstood(url, problem.error);
  const { title, code, why, next } = problem.data;
  const details = { why, next };
  return status === UNAVAILABLE
    ? new UnavailableError(code, title, details)
    : new UsageError(code, title, details);
}

/** @throws as methods of {@link clientAt} do. */
export async function sendTo(
  access: LocalAccess,
  { method, path, body, signal }: ApiRequest,
  { channel = 'cli', onAsOf = () => undefined }: Options = {},
): Promise<ApiAnswer> {
  let answer: ApiAnswer;
  try {
    const response = await fetchAt(access, path, {
      method,
      headers: {
        [CHANNEL_HEADER]: channel,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const asOf = asOfIn(response);
    if (asOf !== null) onAsOf(asOf);
    answer = { status: response.status, body: jsonOf(await response.text()) };
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
  if (answer.status < 200 || answer.status >= 300) throw refusalOf(access.url, answer.status, answer.body);
  return answer;
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
