import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { problemOf, RequestRefusedError } from './problem.ts';
import { refuseDeep } from './refuse-deep.ts';
import type { ListenOptions } from './server-options.ts';

/** A call's file content is at most 10 MB (I3); JSON adds to it. */
const MOST_BODY = 11 * 1024 * 1024;
/** A client that opens connections without end leaves the descriptors of files to those who work. */
const MOST_CONNECTIONS = 2000;
/** Whoever sends a request more slowly than this holds a connection for nothing. */
const HEAD_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 60_000;

const LIMITS = {
  headersTimeout: HEAD_WITHIN_MS,
  requestTimeout: REQUEST_WITHIN_MS,
  connectionsCheckingInterval: 5000,
  // Ours asks for it, with a problem in place of an empty answer.
  requireHostHeader: false,
} as const;

/** The web framework with our limits. What it refuses before any route is reached is a problem like any other. */
export function openApp({ tls }: Pick<ListenOptions, 'tls'>): FastifyInstance {
  const base = {
    logger: false,
    bodyLimit: MOST_BODY,
    requestTimeout: REQUEST_WITHIN_MS,
    forceCloseConnections: 'idle',
    trustProxy: false,
    return503OnClosing: false,
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseUnreadable,
  } as const;
  const app =
    tls === null
      ? fastify({ ...base, http: LIMITS })
      : (fastify({ ...base, https: { ...LIMITS, ...tls } }) as unknown as FastifyInstance);
  app.server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(problemOf(NO_EXPECTATION));
    const length = Buffer.byteLength(body);
    response
      .writeHead(417, { 'content-type': PROBLEM, 'content-length': length, connection: 'close' })
      .end(body);
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  // Who asks for nothing gives way to who would.
  app.server.on('drop', () => app.server.closeIdleConnections());
  app.addHook('preValidation', async ({ body }) => refuseDeep(body));
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  // Answers are made by our own code from typed data; the tests hold them to the description.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  return app;
}

export const PROBLEM = 'application/problem+json';

const NO_EXPECTATION = new RequestRefusedError(
  417,
  'http-417',
  'Cannot do what the request expects: only 100-continue is known',
);

function refuseAddress(_: Error, { url }: FastifyRequest, reply: FastifyReply): void {
  const [path = ''] = url.split('?');
  const refusal = new RequestRefusedError(
    400,
    'http-400',
    `Cannot read the address "${path.slice(0, 200)}"`,
    {
      why: ['it is longer than any of ours, or its escapes are not UTF-8'],
      next: ['/docs lists what there is'],
    },
  );
  reply
    .code(400)
    .type(PROBLEM)
    .send(JSON.stringify(problemOf(refusal)));
}

/** No request came of it, so there is nothing to answer with but the bare connection, unless an answer is on it already. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
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
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Cannot wait any longer for the rest of the request'],
  HPE_HEADER_OVERFLOW: [431, 'Cannot take this request: its headers are larger than 16 KiB'],
};
