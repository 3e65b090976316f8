import { SignalboxError, UnavailableError } from '@signalbox/core';
import type * as z from 'zod';
import type { Operation } from './operation.ts';
import { Problem } from './problem.ts';

/** One HTTP request, ready to be sent. */
export type ApiRequest = Readonly<{
  method: Operation['method'];
  /** With its query, escaped: `/api/commands/cmd_1?wait=30000`. */
  path: string;
  /** Sent as JSON; absent where the operation has none. */
  body?: unknown;
  signal?: AbortSignal;
}>;

/** `body` is null when it is not JSON. */
export type ApiAnswer = Readonly<{ status: number; body: unknown }>;

/**
 * Sends a request over the page's origin, a port, or a unix socket.
 *
 * @throws when no answer came. It may also throw its own error for a refusal.
 */
export type Send = (request: ApiRequest) => Promise<ApiAnswer>;

/** The server refused the request. */
export class ProblemError extends SignalboxError {
  readonly code: string;
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title, problem);
    this.code = problem.code;
    this.problem = problem;
  }
}

type Fields<Schema> = Schema extends z.ZodType ? Named<NonNullable<z.input<Schema>>> : object;
type Named<Input> = Input extends Record<string, never> ? object : Input;
/** Numbers of a query are coerced, which accepts any input; the client accepts numbers. */
type Query<Schema> = Schema extends z.ZodType
  ? {
      [Key in keyof z.input<Schema>]: unknown extends z.input<Schema>[Key]
        ? number | undefined
        : z.input<Schema>[Key];
    }
  : object;
type Part<Of, Key extends string> = Of extends { readonly [_ in Key]: infer Schema } ? Schema : undefined;

/** Input of an operation: its path parameters, query and body. */
export type OperationInput<Of extends Operation> = Fields<Part<Of['schema'], 'params'>> &
  Query<Part<Of['schema'], 'querystring'>> &
  Fields<Part<Of['schema'], 'body'>>;

type Response<Of extends Operation> = Of['schema']['response'];
export type Answer<Of extends Operation> =
  Response<Of> extends { readonly 200: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : Response<Of> extends { readonly 202: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : never;

/**
 * Sends one operation and parses the answer. A program with few operations loads the schemas of these alone.
 *
 * @throws {ProblemError} for a refusal. @throws {UnavailableError} `no-signalbox` for an answer that does not match the
 * contract. @throws whatever `send` throws.
 */
export async function ask<Of extends Operation>(
  send: Send,
  operation: Of,
  {
    asked,
    signal,
  }: Readonly<{ asked?: OperationInput<Of> | undefined; signal?: AbortSignal | undefined }> = {},
): Promise<Answer<Of>> {
  return (await answerTo(operation, requestOf(operation, asked, signal), send)) as Answer<Of>;
}

async function answerTo({ schema }: Operation, request: ApiRequest, send: Send): Promise<unknown> {
  const { status, body } = await send(request);
  if (status < 200 || status >= 300) throw new ProblemError(problemOf({ status, body }));
  const { response } = schema;
  const answer = (response[200] ?? response[202])?.safeParse(body, READ_ONCE);
  if (answer?.success === true) return answer.data;
  const { method, path } = request;
  throw new UnavailableError('no-signalbox', `Cannot understand the answer to ${method} ${path}`, {
    why: ['another program, a proxy in between, or another version of Signalbox has answered'],
    cause: answer?.error,
  });
}

/** Compiling a schema takes longer than parsing one answer without. */
const READ_ONCE = { jitless: true };

function requestOf({ method, url, schema }: Operation, asked: object = {}, signal?: AbortSignal): ApiRequest {
  const rest = new Map<string, unknown>(Object.entries(asked));
  const filled = url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = textOf(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const aborted = signal === undefined ? {} : { signal };
  if (schema.body !== undefined) return { method, path: filled, body: Object.fromEntries(rest), ...aborted };
  const given = [...rest].filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString();
  return { method, path: query === '' ? filled : `${filled}?${query}`, ...aborted };
}

/** Numbers and booleans as in JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A refusal. The body of a proxy, or of another program, is not one of our problems; its status is kept. */
export function problemOf({ status, body }: ApiAnswer): Problem {
  const problem = Problem.safeParse(body);
  if (problem.success) return problem.data;
  const title = `Cannot do that: the server answered ${status}`;
  return { type: 'about:blank', title, status, code: 'unknown', why: [], next: [] };
}
