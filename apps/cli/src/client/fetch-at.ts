import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { UnavailableError } from '@signalbox/core';
import type { LocalAccess } from '../runtime/server/local-access.ts';

export type FetchInit = Readonly<{
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal;
}>;

/** A page of history with long output is a few megabytes. */
const MOST_ANSWER_BYTES = 64 * 1024 ** 2;

/** These have no body; `Response` refuses one. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * Sends a request to a coordinator, as its owner by its socket, else with the access token to its address. Waits as long as
 * the answer takes: `signal` is the only limit.
 *
 * @throws when it cannot be reached; the reason of `signal` when that was aborted.
 */
export async function fetchAt(access: LocalAccess, path: string, init: FetchInit = {}): Promise<Response> {
  const { socket } = access;
  return socket === undefined
    ? fetchByPort(access, path, init)
    : toResponse(await openBySocket(socket, path, init));
}

/** A whole answer: its text, and the headers by their names in lower case. */
type WholeAnswer = Readonly<{ status: number; header: (name: string) => string | null; text: string }>;

/**
 * As {@link fetchAt}, read to its end; by a socket it loads nothing of Node's own `fetch`, which takes long.
 *
 * @param init.mostBytes Default 64 MiB.
 * @throws {UnavailableError} `answer-too-large`: the rest was not read.
 */
export async function readAt(
  access: LocalAccess,
  path: string,
  init: FetchInit & { readonly mostBytes?: number } = {},
): Promise<WholeAnswer> {
  const { socket } = access;
  if (socket === undefined) {
    const response = await fetchByPort(access, path, init);
    const header = (name: string): string | null => response.headers.get(name);
    return { status: response.status, header, text: await textOf(response, init.mostBytes) };
  }
  const message = await openBySocket(socket, path, init);
  return {
    status: message.statusCode ?? 0,
    header: (name) => message.headersDistinct[name]?.[0] ?? null,
    text: await textIn(message as AsyncIterable<Uint8Array>, init.mostBytes),
  };
}

/** The body of an answer. @throws {UnavailableError} `answer-too-large` */
export async function textOf({ body }: Response, mostBytes?: number): Promise<string> {
  return body === null ? '' : textIn(body, mostBytes);
}

/** Who stops reading breaks the connection. */
async function textIn(parts: AsyncIterable<Uint8Array>, mostBytes = MOST_ANSWER_BYTES): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    read.push(part);
  }
  return Buffer.concat(read).toString('utf8');
}

function tooLarge(mostBytes: number): UnavailableError {
  return new UnavailableError(
    'answer-too-large',
    `Cannot read the answer: it has more than ${mostBytes} bytes`,
    {
      why: ['another program listens there, or it is asked for too much at once'],
      next: ['signalbox logs'],
    },
  );
}

function fetchByPort({ url, token }: LocalAccess, path: string, init: FetchInit): Promise<Response> {
  const headers = { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
  return fetch(new URL(path, url), { ...init, headers });
}

/** Node's own `fetch` knows no sockets, and gives up after 5 minutes without an answer. */
function openBySocket(
  socketPath: string,
  path: string,
  { method = 'GET', headers = {}, body, signal }: FetchInit,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // The name is of use to TLS alone; left out, it is worked out.
    const options = { socketPath, path, method, agent: false, servername: '' } as const;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const allHeaders = { host: 'localhost', ...headers, ...length };
    // An import of this module evaluates all that it has, the whole of `fetch` too.
    const request = process.getBuiltinModule('node:http').request({ ...options, headers: allHeaders });
    let abandon: (error: Error) => void = (error) => request.destroy(error);
    const abort = (): void => {
      const reason: unknown = signal?.reason;
      abandon(reason instanceof Error ? reason : new Error('The request was aborted', { cause: reason }));
    };
    signal?.addEventListener('abort', abort, { once: true });
    const settled = (): void => signal?.removeEventListener('abort', abort);
    request.once('error', (error) => {
      settled();
      reject(error);
    });
    request.once('response', (response) => {
      abandon = (error) => response.destroy(error);
      response.once('close', settled);
      resolve(response);
    });
    request.end(body);
  });
}

function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (BODILESS.has(status)) message.resume();
  const stream = BODILESS.has(status) ? null : Readable.toWeb(message, { type: 'bytes' });
  return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>> | null, { status, headers });
}
