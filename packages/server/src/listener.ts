import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '@signalbox/core';
import type { FastifyInstance } from 'fastify';
import { PROBLEM } from './open-app.ts';
import { problemOf, RequestRefusedError } from './problem.ts';
import type { ListenOptions } from './server-options.ts';

/** Leaves file descriptors for commands when a client opens connections without end. */
const MAX_CONNECTIONS = 2000;
/** A client that sends its request head more slowly holds a connection for nothing. */
const HEAD_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 60_000;
/** For a connection that a client keeps open without a request. */
const IDLE_MS = 72_000;
const POLL_EVERY_MS = 20;
/** For requests in progress, such as those that wait for a command. */
const GRACE_MS = 2000;

const LIMITS = {
  headersTimeout: HEAD_WITHIN_MS,
  requestTimeout: REQUEST_WITHIN_MS,
  keepAliveTimeout: IDLE_MS,
  connectionsCheckingInterval: 5000,
  // Our own check requires it, and answers with a problem instead of an empty response.
  requireHostHeader: false,
} as const;

/** One address of an app; an app can have several. */
export type Listener = {
  readonly server: Server;
  /**
   * Takes no new requests, lets running ones end, and closes each connection once it is idle. A client that keeps its
   * connection open, or never reads, delays this by at most 2 s.
   */
  close(clock: Clock): Promise<void>;
};

/** @throws the system's error, such as EADDRINUSE. */
export async function openListener(
  app: Pick<FastifyInstance, 'routing'>,
  options: {
    readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
    readonly tls: ListenOptions['tls'];
    /** Records the listener of each request for the guard. */
    readonly onRequest: (request: IncomingMessage) => void;
  },
): Promise<Listener> {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    options.onRequest(request);
    app.routing(request, response);
  };
  const server =
    options.tls === null
      ? createServer(LIMITS, answer)
      : createTlsServer({ ...LIMITS, ...options.tls }, answer);
  server.maxConnections = MAX_CONNECTIONS;
  // An idle connection gives way to a new one.
  server.on('drop', () => server.closeIdleConnections());
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', refuseExpectation);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.at, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { server, close: (clock) => closeGracefully(server, clock) };
}

async function closeGracefully(server: Server, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + GRACE_MS;
  let cancel = clock.timer(0, closeIdle);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  cancel();

  function closeIdle(): void {
    if (clock.monotonic() < deadline) server.closeIdleConnections();
    else server.closeAllConnections();
    cancel = clock.timer(POLL_EVERY_MS, closeIdle);
  }
}

function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(problemOf(NO_EXPECTATION));
  const length = Buffer.byteLength(body);
  response
    .writeHead(417, { 'content-type': PROBLEM, 'content-length': length, connection: 'close' })
    .end(body);
}

const NO_EXPECTATION = new RequestRefusedError(
  417,
  'http-417',
  'Cannot meet the expectation of the request: only 100-continue is supported',
);

/** No request was parsed, so the answer is written to the bare connection, unless a response is on it already. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !(socket instanceof Socket)) return;
  const [status, title] = UNREADABLE[error.code ?? ''] ?? NO_HTTP;
  const body = JSON.stringify(problemOf(new RequestRefusedError(status, `http-${status}`, title)));
  if (socket.writable && socket.bytesWritten === 0) {
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${PROBLEM}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

const NO_HTTP = [400, 'Cannot read the request: it is not valid HTTP/1.1'] as const;
const UNREADABLE: Readonly<Record<string, readonly [status: number, title: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Cannot read the request: it was not complete in time'],
  HPE_HEADER_OVERFLOW: [431, 'Cannot accept this request: its headers are larger than 16 KiB'],
};
