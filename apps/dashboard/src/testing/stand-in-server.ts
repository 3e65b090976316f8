import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snapshot } from '@signalbox/api';
import { createTraffic, type TestTraffic } from './traffic.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const SENT_EVERY_MS = 20;
const PAGE = 200;

/** Implements the API as far as a viewing page needs it, and sends as many events as a measurement requires. */
export type FakeServer = AsyncDisposable & {
  readonly url: string;
  /** Events per second, from now on. */
  send(rate: number): void;
  sent(): number;
  /** Sends all listeners something that is not a command's event: `away`, `back`. */
  tell(name: string, data: object): void;
};

/** A real coordinator can't run 200 events a second on a developer's machine; the page receives the same. */
export async function openStandInServer(options: {
  readonly providers: number;
  /** Commands that ended before; default 200. */
  readonly history?: number;
}): Promise<FakeServer> {
  const traffic = createTraffic(options.providers, options.history);
  const watchers = new Set<ServerResponse>();
  /** While there were no listeners. */
  const untold: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    if (pathname === '/api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: hello\ndata: ${JSON.stringify({ now: Date.now(), lastId: null })}\n\n`);
      for (const frame of untold.splice(0)) response.write(frame);
      watchers.add(response);
      response.on('close', () => watchers.delete(response));
    } else if (pathname.startsWith('/api/')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answerOf(pathname, searchParams, traffic)));
    } else {
      const file = pathname === '/' ? 'index.html' : pathname.slice(1);
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
      response.end(readFileSync(DIST + file));
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  let perSecond = 0;
  let owed = 0;
  let sent = 0;
  let lastAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    owed += (perSecond * (now - lastAt)) / 1000;
    lastAt = now;
    let text = '';
    for (; owed >= 1; owed -= 1) {
      const event = traffic.next(Date.now());
      text += `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
      sent += 1;
    }
    if (text !== '') for (const watcher of watchers) watcher.write(text);
  }, SENT_EVERY_MS);

  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    send(rate) {
      perSecond = rate;
      owed = 0;
      lastAt = performance.now();
    },
    sent: () => sent,
    tell(name, data) {
      const frame = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
      if (watchers.size === 0) untold.push(frame);
      for (const watcher of watchers) watcher.write(frame);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      for (const watcher of watchers) watcher.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerOf(pathname: string, query: URLSearchParams, traffic: TestTraffic): unknown {
  if (pathname === '/api/snapshot') return snapshotOf(traffic);
  if (pathname === '/api/workspace') return { name: 'measured', head: null };
  if (pathname === '/api/approvals') return { approvals: [] };
  if (pathname === '/api/queue') return { waiting: [], leases: [], counts: [] };
  if (pathname.startsWith('/api/commands/')) return traffic.view(pathname.split('/')[3] ?? '');
  const from = Number(query.get('cursor') ?? 0);
  const commands = traffic.views(from, PAGE);
  return { commands, next: commands.length < PAGE ? null : String(from + PAGE) };
}

function snapshotOf(traffic: TestTraffic): Snapshot {
  return {
    workspace: 'measured',
    version: '0.0.0',
    now: Date.now(),
    lastEventId: null,
    you: { name: 'measure', role: 'operator' },
    mode: { mode: 'NORMAL', since: 0, by: 'measure', reason: '' },
    isolation: 'overlay',
    commands: traffic.views(0, PAGE),
    queue: { waiting: [], leases: [], counts: [] },
    limits: { maxConcurrent: 40, maxWaitMs: 600_000, leaseTtlMs: 30_000 },
    sessions: [],
    providers: [],
    tests: null,
  };
}
