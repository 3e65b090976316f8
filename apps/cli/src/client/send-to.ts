import {
  type Answer,
  type ApiAnswer,
  type ApiRequest,
  ask,
  CHANNEL_HEADER,
  type Operation,
  Problem,
} from '@signalbox/api';
import { ReportedCode, UnavailableError, UsageError } from '@signalbox/core';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { readAt } from './fetch-at.ts';

export type SendOptions = Readonly<{
  /** The audit log's name for the client; default: a subcommand. */
  channel?: 'cli' | 'mcp' | 'terminal';
  /** Called with the time of the data (epoch ms) when it is not current: the server's backend is unreachable. */
  onAsOf?: (asOf: number) => void;
}>;

/** The fields needed to report an error, also one of another version. */
const Refusal = Problem.unwrap().pick({ title: true, why: true, next: true }).extend({ code: ReportedCode });

const UNAVAILABLE = 503;

/** Calls one operation without arguments. Loads no schemas of others, for fast subcommands. Throws like `clientAt`. */
export async function askAt<Of extends Operation>(
  access: LocalAccess,
  operation: Of,
  options: SendOptions = {},
): Promise<Answer<Of>> {
  return ask((request) => sendTo(access, request, options), operation);
}

/** Null if it is rejected with that code. */
export async function unlessRefused<Answered>(
  code: string,
  answer: Promise<Answered>,
): Promise<Answered | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UsageError && error.code === code) return null;
    throw error;
  }
}

/** An error response, as an error of our own. */
export function refusalOf(
  url: string,
  status: number,
  { body }: Readonly<{ body: unknown }>,
): UsageError | UnavailableError {
  const problem = Refusal.safeParse(body);
  if (!problem.success) return notUnderstood(url, problem.error);
  const { title, code, why, next } = problem.data;
  const details = { why, next };
  return status === UNAVAILABLE
    ? new UnavailableError(code, title, details)
    : new UsageError(code, title, details);
}

/** @throws as methods of `clientAt` do */
export async function sendTo(
  access: LocalAccess,
  { method, path, body, signal }: ApiRequest,
  { channel = 'cli', onAsOf = () => undefined }: SendOptions = {},
): Promise<ApiAnswer> {
  let answer: ApiAnswer;
  try {
    const { status, header, text } = await readAt(access, path, {
      method,
      headers: {
        [CHANNEL_HEADER]: channel,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const asOf = asOfIn(header);
    if (asOf !== null) onAsOf(asOf);
    answer = { status, body: jsonOf(text) };
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
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
  if (answer.status < 200 || answer.status >= 300)
    throw refusalOf(access.url, answer.status, { body: answer.body });
  return answer;
}

/** Null if the data is current. */
export function asOfIn(header: (name: string) => string | null): number | null {
  const at = Date.parse(header('signalbox-as-of') ?? '');
  return Number.isNaN(at) ? null : at;
}

/** Null for invalid JSON, which matches no response schema. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A proxy in between, another program at that address, or a Signalbox of another version. */
function notUnderstood(url: string, cause: unknown): UnavailableError {
  return new UnavailableError('no-signalbox', `Cannot understand the answer from ${url}`, {
    why: ['another program, a proxy in between, or another version of Signalbox has answered'],
    next: [`check ${new URL('/health', url).href}`],
    cause,
  });
}
