import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import { UnavailableError } from '@signalbox/core';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  type ListenerAddress,
  createRequestOrigins,
  OWNER_ID,
  ownerNamed,
} from './access/request-origins.ts';
import { guardRequests } from './access/authenticate.ts';
import { checkListen, isLoopback } from './access/check-listen.ts';
import { createEntryCodes } from './access/entry-codes.ts';
import { createClientPresence } from './client-presence.ts';
import { createFailedTries } from './access/failed-tries.ts';
import { createHostCheck } from './access/known-host.ts';
import { createTokenRegistry } from './access/token-registry.ts';
import { markLastKnown } from './backend-away.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { createMetrics } from './metrics.ts';
import { type Listener, openListener } from './listener.ts';
import { openApp, refuseUnguarded, answerWithProblems } from './open-app.ts';
import { RequestRefusedError } from './problem.ts';
import { accessRoutes } from './routes/access-routes.ts';
import { approvalRoutes } from './routes/commands/approval-routes.ts';
import { attendRoutes } from './routes/commands/attend-routes.ts';
import { changeRoutes } from './routes/commands/change-routes.ts';
import { reviewRoutes } from './routes/commands/review-routes.ts';
import { coordinatorRoutes } from './routes/coordinator-routes.ts';
import { commandRoutes } from './routes/commands/command-routes.ts';
import { eventRoutes } from './routes/event-routes.ts';
import { helloRoutes } from './routes/hello-routes.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { exportRoutes } from './routes/export-routes.ts';
import { historyRoutes } from './routes/commands/history-routes.ts';
import { overviewRoutes } from './routes/overview-routes.ts';
import { leaseRoutes } from './routes/lease-routes.ts';
import { modeRoutes } from './routes/mode-routes.ts';
import { resultCacheRoutes } from './routes/result-cache-routes.ts';
import { outputRoutes } from './routes/commands/output-routes.ts';
import { portRoutes } from './routes/port-routes.ts';
import { policyRoutes } from './routes/policy-routes.ts';
import { rememberRoutes } from './routes/commands/remember-routes.ts';
import type { RouteParts } from './routes/route-parts.ts';
import { ruleRoutes } from './routes/rule-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { statusRoutes } from './routes/status-routes.ts';
import { timelineRoutes } from './routes/timeline-routes.ts';
import { toolRoutes } from './routes/commands/tool-routes.ts';
import { workspaceRoutes } from './routes/workspace-routes.ts';
import { servePages } from './serve-pages.ts';
import type { ListenOptions, ServerOptions } from './server-options.ts';
import { safeHeaders } from './safe-headers.ts';
import { openSessionRegistry } from './sessions/session-registry.ts';
import { createCommandViews } from './views/command-view.ts';
import { type Activity, watchRequests } from './watch-requests.ts';

export type Server = {
  /**
   * Listens on a port, behind access tokens and checks of `Host` and `Origin`.
   *
   * @throws {UsageError} `not-loopback`. @throws {UnavailableError} `port-in-use`.
   */
  listen(options: ListenOptions): Promise<OpenPort>;
  /** Listens on a unix socket. Every client that can open it is the owner, `name`, with the rights of an operator. */
  listenOn(path: string, owner: { readonly name: string }): Promise<void>;
  /** Requests and streams now; the idle exit reads it. */
  activity(): Activity;
  /** Finishes requests in progress, ends streams, then frees every port and socket. */
  close(): Promise<void>;
};

export type OpenPort = {
  /** `http://127.0.0.1:4180`. */
  readonly url: string;
  close(): Promise<void>;
};

/** The HTTP API of a coordinator. It listens nowhere until `listen` or `listenOn`. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { clock, random, events } = options;
  const { runs, leadsAlone } = options.services;
  const sessions = await openSessionRegistry(events, (id) => leadsAlone && !runs.isLed(id));
  const metrics = options.measures
    ? createMetrics({ ...options, store: options.lastKnown?.store ?? options.store, now: () => clock.now() })
    : null;
  const closing = new AbortController();
  const origins = createRequestOrigins();
  const { store, facts, events: reported } = options.lastKnown ?? options;
  // Read rights work from last-known tokens; every other right is read from the store.
  const readTokens = createTokenRegistry({ ...options, facts });
  const parts: RouteParts = {
    ...options,
    store,
    facts,
    events: reported,
    closing: closing.signal,
    closingOf: ({ raw }) => origins.of(raw).closing,
    sessions,
    views: createCommandViews(options.redactor),
    tokens: createTokenRegistry(options),
    readTokens: { ...readTokens, has: async (id) => id === OWNER_ID || readTokens.has(id) },
    codes: createEntryCodes({ clock, random }),
    tries: createFailedTries(clock),
    clientPresence: createClientPresence(clock),
  };
  const app = openApp();
  app.addHook('onClose', async () => {
    sessions.close();
    parts.clientPresence.close();
    metrics?.close();
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(safeHeaders({ tls: request.protocol === 'https' }));
    if (parts.closingOf(request).aborted) throw stopping();
  });
  const requests = watchRequests(app, options.coordinator);
  await app.register(cookie);
  refuseUnguarded(app);
  if (options.lastKnown != null) markLastKnown(app, options.lastKnown);
  guardRequests(app, { ...parts, origins });
  answerWithProblems(app, options);
  const addRoutes = async (api: FastifyInstance): Promise<void> => {
    const routes = api.withTypeProvider<ZodTypeProvider>();
    for (const add of ROUTES) add(routes, parts);
    coordinatorRoutes(routes, { ...parts, ...requests });
    healthRoutes(routes, { ...parts, store: options.store, metrics });
  };
  await app.register(addRoutes);
  servePages(app, { ...options, addRoutes });
  await app.ready();
  const listeners = new Set<Listener>();

  async function open(
    at: Parameters<typeof openListener>[1]['at'],
    tls: ListenOptions['tls'],
    from: ListenerAddress,
  ): Promise<Listener> {
    const leaving = new AbortController();
    const origin = { ...from, closing: leaving.signal };
    const onRequest = (request: IncomingMessage): void => origins.note(request, origin);
    const opened = await openListener(app, { at, tls, onRequest });
    const listener: Listener = {
      server: opened.server,
      async close(by) {
        listeners.delete(listener);
        leaving.abort();
        await opened.close(by);
      },
    };
    listeners.add(listener);
    return listener;
  }

  return {
    async listen(asked) {
      checkListen(asked);
      const { host, port, tls } = asked;
      const check = createHostCheck([...asked.allowedHosts, host]);
      const listener = await open({ host, port }, tls, { kind: 'port', check }).catch(portProblem(port));
      return {
        url: urlOf(listener, asked),
        close: () => listener.close(clock),
      };
    },
    async listenOn(path, { name }) {
      await open({ path }, null, { kind: 'socket', owner: ownerNamed(name) });
    },
    activity: requests.activity,
    async close() {
      closing.abort();
      await Promise.all([...listeners].map((listener) => listener.close(clock)));
      await app.close();
    },
  };
}

const ROUTES = [
  helloRoutes,
  portRoutes,
  toolRoutes,
  commandRoutes,
  attendRoutes,
  outputRoutes,
  changeRoutes,
  reviewRoutes,
  approvalRoutes,
  rememberRoutes,
  sessionRoutes,
  exportRoutes,
  overviewRoutes,
  statusRoutes,
  workspaceRoutes,
  leaseRoutes,
  modeRoutes,
  resultCacheRoutes,
  timelineRoutes,
  policyRoutes,
  ruleRoutes,
  historyRoutes,
  eventRoutes,
  accessRoutes,
  mcpRoutes,
] as const;

function stopping(): RequestRefusedError {
  return new RequestRefusedError(503, 'stopping', 'Cannot accept this request: the server is stopping', {
    next: ['send it again when it has started: signalbox serve'],
  });
}

function portProblem(port: number): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new UnavailableError('port-in-use', `Cannot listen on port ${port}: it is in use`, {
      next: ['--port 0 picks a free one'],
      cause: error,
    });
  };
}

function urlOf({ server }: Listener, { host, port, tls }: ListenOptions): string {
  const address = server.address();
  const actual = address === null || typeof address === 'string' ? port : address.port;
  const name = isLoopback(host) && host !== 'localhost' && host.includes(':') ? `[${host}]` : host;
  return `${tls === null ? 'http' : 'https'}://${name}:${actual}`;
}
