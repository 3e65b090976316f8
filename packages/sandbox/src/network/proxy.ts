import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, describeTarget, errorText, parseTarget, type Target } from '@signalbox/core';
import type { Admission, AdmitTarget } from './admission.ts';
import type { ConnectionLog } from './connection-log.ts';
import { dial } from './dial.ts';
import { readFirstBytes, noteOn, whyNotCarried } from './tunnel-check.ts';

/** Hop-by-hop headers (RFC 9110, 7.6.1), and those we write ourselves. */
const OF_ONE_LEG: ReadonlySet<string> = new Set(
  'connection proxy-connection keep-alive proxy-authenticate proxy-authorization te trailer upgrade host'.split(
    ' ',
  ),
);

export type Proxy = {
  /** Takes over a connection opened by a command. */
  readonly serve: (socket: Socket) => void;
  /** Cuts every connection. */
  readonly close: () => void;
};

export type ProxyOptions = {
  readonly admit: AdmitTarget;
  readonly log: ConnectionLog;
  readonly clock: Clock;
};

/** An open connection to a target, or the response to the client. */
type Way =
  | { readonly kind: 'open'; readonly upstream: Socket; readonly target: Target }
  | { readonly kind: 'closed'; readonly status: 403 | 502; readonly why: string };

type NotAdmitted = Exclude<Admission, { kind: 'admitted' }>;

/** For one command at a time. */
const MAX_CONNECTIONS = 256;

const UNREADABLE: NotAdmitted = { kind: 'refused', why: 'it is not the target of a request to a proxy' };

/**
 * The gate of one command's network: an HTTP proxy. `CONNECT` opens a tunnel for TLS or HTTP that names the
 * same host, and a request with an absolute `http:` URL is forwarded. Each request is checked separately, so a
 * redirect can't lead to a host a request could not.
 */
export function createProxy({ admit, log, clock }: ProxyOptions): Proxy {
  const open = new Set<Duplex>();
  let isClosed = false;
  const server = createServer({ requestTimeout: 0 });
  server.on('request', (request, response) => void forward(request, response));
  server.on('connect', (request, socket, head) => void tunnel(request, socket, head));

  function keep(socket: Duplex): void {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  }

  async function findWay(written: string, target: Target | null): Promise<Way> {
    if (target === null) return close(written, UNREADABLE);
    const name = describeTarget(target);
    const admission = await admit(target).catch(toFailure);
    if (admission.kind !== 'admitted') return close(name, admission);
    try {
      const upstream = await dial(target, admission.addresses, clock);
      if (isClosed) {
        upstream.destroy();
        return close(name, { kind: 'failed', why: 'the command has ended' });
      }
      keep(upstream);
      return { kind: 'open', upstream, target };
    } catch (cause) {
      return close(name, toFailure(cause));
    }
  }

  function logReached(upstream: Socket, why: string | null, target: Target): void {
    const end = log.add({ target: describeTarget(target), outcome: 'reached', why });
    upstream.once('close', () =>
      end({ sentBytes: upstream.bytesWritten, receivedBytes: upstream.bytesRead }),
    );
  }

  function close(target: string, { kind, why }: NotAdmitted): Way {
    log.add({ target, outcome: kind, why });
    return { kind: 'closed', status: kind === 'refused' ? 403 : 502, why };
  }

  async function tunnel({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const way = await findWay(url, parseTarget(url));
    if (way.kind === 'closed') return void socket.end(answerText(way));
    const { upstream, target } = way;
    // The client may be gone by now.
    if (socket.destroyed) return void upstream.destroy();
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const { bytes, opening } = await readFirstBytes(socket, head, clock);
    const why = whyNotCarried(opening, target);
    if (why !== null) {
      const kind = bytes.length === 0 ? 'failed' : 'refused';
      const name = describeTarget(target);
      close(name, { kind, why: `"${name}": ${kind === 'failed' ? 'nothing was sent' : why}` });
      socket.destroy();
      return void upstream.destroy();
    }
    logReached(upstream, noteOn(opening, target), target);
    if (socket.destroyed || upstream.destroyed) return void [socket, upstream].map((one) => one.destroy());
    upstream.write(bytes);
    upstream.pipe(socket);
    socket.pipe(upstream);
    socket.once('close', () => upstream.destroy());
    upstream.once('close', () => socket.end());
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    const [, authority, path = ''] = /^http:\/\/([^/?#]+)([^#]*)/i.exec(url) ?? [];
    const way = await findWay(authority ?? url, authority === undefined ? null : parseTarget(authority, 80));
    if (way.kind === 'closed') return void response.writeHead(way.status, PLAIN).end(bodyOf(way));
    const { upstream, target } = way;
    // The client may be gone by now.
    if (response.destroyed) return void upstream.destroy();
    logReached(upstream, null, target);
    response.once('close', () => upstream.destroy());
    response.sendDate = false;
    try {
      const passed = sendRequest({
        method: request.method,
        path: path.startsWith('/') ? path : `/${path}`,
        headers: [
          ...headersForNextLeg(request.rawHeaders),
          'Host',
          hostHeader(target),
          'Connection',
          'close',
        ],
        createConnection: () => upstream,
      });
      passed.on('error', () => response.destroy());
      passed.on('response', (answer) => {
        response.writeHead(
          answer.statusCode ?? 502,
          answer.statusMessage,
          headersForNextLeg(answer.rawHeaders),
        );
        answer.pipe(response);
      });
      request.pipe(passed);
    } catch {
      // The URL contains something HTTP can't carry, such as a blank.
      response.writeHead(400, PLAIN).end('Signalbox: this is no request\n');
    }
  }

  return {
    serve(socket) {
      if (open.size >= MAX_CONNECTIONS) {
        close('all', { kind: 'refused', why: `it had ${MAX_CONNECTIONS} connections open` });
        return void socket.destroy();
      }
      keep(socket);
      server.emit('connection', socket);
    },
    close() {
      isClosed = true;
      for (const socket of open) socket.destroy();
    },
  };
}

const PLAIN = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' };

type Closed = Extract<Way, { kind: 'closed' }>;

function bodyOf({ why }: Closed): string {
  return `Signalbox: ${why}\n`;
}

function answerText(way: Closed): string {
  const body = bodyOf(way);
  const reason = way.status === 403 ? 'Forbidden' : 'Bad Gateway';
  const headers = Object.entries({ ...PLAIN, 'Content-Length': String(Buffer.byteLength(body)) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${way.status} ${reason}\r\n${lines}\r\n${body}`;
}

function hostHeader(target: Target): string {
  const text = describeTarget(target);
  return target.port === 80 ? text.slice(0, -':80'.length) : text;
}

function toFailure(cause: unknown): NotAdmitted {
  return { kind: 'failed', why: errorText(cause) };
}

/** The headers a proxy forwards; names and values alternate, as in Node.js's `rawHeaders`. */
export function headersForNextLeg(rawHeaders: readonly string[]): string[] {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  const named = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === 'connection' ? value.toLowerCase().split(',') : [],
  );
  const dropped = new Set([...OF_ONE_LEG, ...named.map((name) => name.trim())]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}
