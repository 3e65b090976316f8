import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import cookie from '@fastify/cookie';
import { ProviderId, UnavailableError } from '@signalbox/core';
import {
  createManualClock,
  createMemoryFacts,
  createMemoryLogger,
  createSeededRandom,
} from '@signalbox/core/testing';
import { onTestFinished } from 'vitest';
import { guardRequests, visitorOfRequest } from '../access/authenticate.ts';
import { createFailedTries } from '../access/failed-tries.ts';
import { createHostCheck } from '../access/known-host.ts';
import { createRequestOrigins, type ListenerAddress, ownerNamed } from '../access/request-origins.ts';
import { createTokenRegistry } from '../access/token-registry.ts';
import { openListener } from '../listener.ts';
import { answerWithProblems, openApp } from '../open-app.ts';

type Asked = Readonly<{ method?: string; headers?: Readonly<Record<string, string>> }>;

/** A guarded app on a port and a socket. Each route answers with the visitor; its name is the access that it requires. */
export async function openGuarded() {
  const clock = createManualClock();
  const registry = (seed: number) =>
    createTokenRegistry({ facts: createMemoryFacts(), clock, random: createSeededRandom(seed) });
  const [tokens, readTokens] = [registry(1), registry(2)];
  const backend = { isAway: false };
  const origins = createRequestOrigins();
  const app = openApp();
  await app.register(cookie);
  guardRequests(app, {
    tokens: {
      ...tokens,
      async has(id) {
        if (backend.isAway) throw new UnavailableError('redis-gone', 'Redis does not answer');
        return tokens.has(id);
      },
    },
    readTokens,
    tries: createFailedTries(clock),
    origins,
  });
  answerWithProblems(app, { logger: createMemoryLogger() });
  const ROUTES = {
    '/anyone': { access: 'anyone' },
    '/look': { access: ['look'] },
    '/operate': { access: ['operate'] },
    '/submit': { access: ['look', 'submit'] },
    '/stop': { access: ['operate'], worksAway: true },
    '/undeclared': {},
  } as const;
  for (const [url, config] of Object.entries(ROUTES)) {
    app.route({ method: ['GET', 'POST'], url, config, handler: async ({ visitor }) => ({ visitor }) });
  }
  app.get('/visitor', { config: { access: 'anyone' } }, async (request) => visitorOfRequest(request));
  await app.ready();

  const folder = mkdtempSync(join(tmpdir(), 'guard-'));
  const socketPath = join(folder, 'socket');
  const listen = async (at: Parameters<typeof openListener>[1]['at'], from: ListenerAddress) => {
    const origin = { ...from, closing: new AbortController().signal };
    const { server } = await openListener(app, {
      at,
      tls: null,
      onRequest: (request) => origins.note(request, origin),
    });
    return server;
  };
  const onPort = await listen({ host: '127.0.0.1', port: 0 }, { kind: 'port', check: createHostCheck([]) });
  const onSocket = await listen({ path: socketPath }, { kind: 'socket', owner: ownerNamed('ana') });
  const address = onPort.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  onTestFinished(async () => {
    onPort.close();
    onSocket.close();
    await app.close();
    rmSync(folder, { recursive: true });
  });

  const ask = async (to: object, path: string, { method = 'GET', headers = {} }: Asked = {}) => {
    const sent = send({ ...to, path, method, headers, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await readAll(answer);
    return { status: answer.statusCode, body: body === '' ? null : (JSON.parse(body) as object) };
  };
  const make = async (from: typeof tokens, role: 'viewer' | 'operator' | 'provider') => {
    const provider = role === 'provider' ? ProviderId.parse('codex') : null;
    const { token, entry } = await from.create({
      kind: 'made',
      name: `a ${role}`,
      role,
      provider,
      lifetimeMs: null,
    });
    const headers = { authorization: `Bearer ${token}` };
    return {
      token,
      headers,
      visitor: { tokenId: entry.id, kind: 'made', name: `a ${role}`, role, provider },
    };
  };
  return {
    clock,
    backend,
    port,
    onPort: (path: string, asked?: Asked) => ask({ host: '127.0.0.1', port }, path, asked),
    onSocket: (path: string, asked?: Asked) => ask({ socketPath }, path, asked),
    acting: (role: 'viewer' | 'operator' | 'provider') => make(tokens, role),
    reading: (role: 'viewer' | 'operator' | 'provider') => make(readTokens, role),
  };
}
