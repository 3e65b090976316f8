import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import type { LocalAccess } from '../serve/local-access.ts';

export type FetchInit = Readonly<{
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal;
}>;

/** These have no body; `Response` refuses one. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * Sends a request to a coordinator, as its owner by its socket, else with the access token to its address. Waits as long as
 * the answer takes: `signal` is the only limit.
 *
 * @throws when it cannot be reached; the reason of `signal` when that was aborted.
 */
export async function fetchAt(access: LocalAccess, path: string, init: FetchInit = {}): Promise<Response> {
  const { socket, url, token } = access;
  if (socket === undefined) {
    const headers = { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
    return fetch(new URL(path, url), { ...init, headers });
  }
  return fetchBySocket(socket, path, init);
}

/** Node's own `fetch` knows no sockets, and gives up after 5 minutes without an answer. */
function fetchBySocket(
  socketPath: string,
  path: string,
  { method = 'GET', headers = {}, body, signal }: FetchInit,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = httpRequest({
      socketPath,
      path,
      method,
      agent: false,
      headers: {
        host: 'localhost',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    });
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
      const status = response.statusCode ?? 0;
      const answered = new Headers();
      for (const [name, values] of Object.entries(response.headersDistinct))
        for (const value of values ?? []) answered.append(name, value);
      if (BODILESS.has(status)) response.resume();
      const stream = BODILESS.has(status) ? null : Readable.toWeb(response, { type: 'bytes' });
      resolve(
        new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>> | null, { status, headers: answered }),
      );
    });
    request.end(body);
  });
}
