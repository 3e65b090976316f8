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
export const MAX_ANSWER_BYTES = 64 * 1024 ** 2;

/** A response whose body is streamed; stopping early, or aborting, closes the connection. */
type OpenAnswer = Readonly<{
  status: number;
  /** By lower-case name. */
  header: (name: string) => string | null;
  body: AsyncIterable<Uint8Array>;
}>;

/**
 * Sends a request to a coordinator: over its socket as the owner, otherwise to its address with the access token. There
 * is no timeout but `signal`. Over a socket Node's own `fetch` is not loaded, which takes as long as the rest of a
 * short subcommand.
 *
 * @throws when it cannot be reached; the reason of `signal` when that was aborted
 */
export async function fetchAt(access: LocalAccess, path: string, init: FetchInit = {}): Promise<OpenAnswer> {
  const { socket } = access;
  if (socket === undefined) {
    const { status, headers, body } = await fetchByPort(access, path, init);
    return { status, header: (name) => headers.get(name), body: body ?? Readable.from([]) };
  }
  const message = await openBySocket(socket, path, init);
  return {
    status: message.statusCode ?? 0,
    header: (name) => message.headersDistinct[name]?.[0] ?? null,
    body: message as AsyncIterable<Uint8Array>,
  };
}

/** A complete response. */
type WholeAnswer = Omit<OpenAnswer, 'body'> & Readonly<{ text: string }>;

/**
 * Like {@link fetchAt}, with the body read to its end.
 *
 * @param init.mostBytes Default 64 MiB.
 * @throws {UnavailableError} `answer-too-large`: the rest was not read
 */
export async function readAt(
  access: LocalAccess,
  path: string,
  init: FetchInit & { readonly maxBytes?: number } = {},
): Promise<WholeAnswer> {
  const { status, header, body } = await fetchAt(access, path, init);
  return { status, header, text: await textOf({ body }, init.maxBytes) };
}

/** The body of a response. @throws {UnavailableError} `answer-too-large` */
export async function textOf(
  { body }: Pick<OpenAnswer, 'body'>,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    read.push(part);
  }
  return Buffer.concat(read).toString('utf8');
}

export function tooLarge(maxBytes: number): UnavailableError {
  return new UnavailableError(
    'answer-too-large',
    `Cannot read the answer: it is larger than ${maxBytes} bytes`,
    {
      why: ['another program is listening there, or the request asks for too much at once'],
      next: ['signalbox logs'],
    },
  );
}

function fetchByPort({ url, token }: LocalAccess, path: string, init: FetchInit): Promise<Response> {
  const headers = { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
  return fetch(new URL(path, url), { ...init, headers });
}

/** Node's own `fetch` supports no sockets, and gives up after 5 minutes without a response. */
function openBySocket(
  socketPath: string,
  path: string,
  { method = 'GET', headers = {}, body, signal }: FetchInit,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // Only TLS needs the name; omitted, it is computed.
    const options = { socketPath, path, method, agent: false, servername: '' } as const;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const allHeaders = { host: 'localhost', ...headers, ...length };
    // Importing this module evaluates all of it, including `fetch`.
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
