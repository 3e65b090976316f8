import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestRefusedError } from '../problem.ts';
import { cookieNameOf } from './browser-cookie.ts';
import { type RequestOrigins, OWNER_ID } from './request-origins.ts';
import type { createHostCheck } from './known-host.ts';
import type { FailedTries } from './failed-tries.ts';
import { mayDo, type RequiredRole, rolesThatMay } from './role.ts';
import type { TokenRegistry } from './token-registry.ts';
import type { Visitor } from './token-entry.ts';

/** Methods that change nothing, on every route. */
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The access that a route requires: `anyone`, or one of these rights. Every route declares it. */
export type GrantedAccess = 'anyone' | readonly RequiredRole[];

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on a route that is open to anyone. */
    visitor: Visitor | null;
  }
  interface FastifyContextConfig {
    access?: GrantedAccess;
    /** Whether the route answers over the socket while the backend is away. Default: no, like every route that acts. */
    worksAway?: boolean;
  }
}

/** Checks each request before anything of it is read: its origin, its sender and the sender's rights. */
export function guardRequests(
  app: FastifyInstance,
  parts: {
    readonly tokens: Pick<TokenRegistry, 'find' | 'has'>;
    /** Tokens for read-only requests. */
    readonly readTokens: Pick<TokenRegistry, 'find'>;
    readonly tries: FailedTries;
    readonly origins: Pick<RequestOrigins, 'of'>;
  },
): void {
  app.decorateRequest('visitor', null);
  app.addHook('onRequest', async (request) => {
    const origin = parts.origins.of(request.raw);
    if (origin.kind === 'port') checkSender(request, origin.check);
    if (request.is404) return;
    const access = request.routeOptions.config.access ?? [];
    if (access === 'anyone') return;
    if (origin.kind === 'socket') {
      request.visitor = origin.owner;
      checkMay(request.visitor, access);
      // A port reads its tokens from the backend. On a socket this is the only check that notices that it is away.
      const { worksAway = false } = request.routeOptions.config;
      if (!READ_METHODS.has(request.method) && !worksAway) await parts.tokens.has(OWNER_ID);
      return;
    }
    const tokens = READ_METHODS.has(request.method) ? parts.readTokens : parts.tokens;
    request.visitor = await visitorOf(request, { ...parts, tokens });
    checkMay(request.visitor, access);
  });
}

/** The sender; only for routes that are not open to anyone. */
export function visitorOfRequest({ visitor }: FastifyRequest): Visitor {
  if (visitor === null) throw new RequestRefusedError(401, 'no-token', 'Not authenticated');
  return visitor;
}

function checkSender({ headers }: FastifyRequest, check: ReturnType<typeof createHostCheck>): void {
  const verdict = check({
    host: headers.host,
    origin: headers.origin,
    secFetchSite: headers['sec-fetch-site']?.toString(),
  });
  if (verdict === 'host') {
    throw new RequestRefusedError(
      421,
      'unknown-host',
      `Cannot answer for host "${headers.host ?? ''}": it is not a name of this server`,
      {
        why: ['another site could point its own name to this address'],
        next: [
          'use the address that was printed by: signalbox serve',
          '--allow-host NAME for an additional name',
        ],
      },
    );
  }
  if (verdict === 'origin') {
    throw new RequestRefusedError(
      403,
      'foreign-origin',
      'Cannot accept this request: a page of another site sent it',
    );
  }
}

async function visitorOf(
  request: FastifyRequest,
  { tokens, tries }: { readonly tokens: Pick<TokenRegistry, 'find'>; readonly tries: FailedTries },
): Promise<Visitor> {
  const token = tokenOf(request);
  if (token === null) throw noToken('Not authenticated: the request has no access token');
  const visitor = await tokens.find(token);
  if (visitor !== null) return visitor;
  refuseTooEarly(tries.failed(request.ip, token));
  throw noToken('Not authenticated: the access token is not valid here, expired or revoked');
}

/** Makes a client wait that repeats the same wrong credentials. @throws {RequestRefusedError} `too-many-failures` */
export function refuseTooEarly(waitMs: number): void {
  if (waitMs === 0) return;
  throw new RequestRefusedError(
    429,
    'too-many-failures',
    'Cannot authenticate: too many wrong tokens from this address',
    { next: [`wait ${Math.ceil(waitMs / 1000)} s, or try another token: signalbox token create`] },
  );
}

function tokenOf(request: FastifyRequest): string | null {
  const [, bearer] = /^Bearer (\S{1,512})$/i.exec(request.headers.authorization ?? '') ?? [];
  return bearer ?? request.cookies[cookieNameOf(request)] ?? null;
}

function noToken(message: string): RequestRefusedError {
  return new RequestRefusedError(401, 'no-token', message, {
    next: [
      'signalbox token create',
      'send it as: Authorization: Bearer TOKEN',
      'signalbox dashboard opens the page',
    ],
  });
}

/** For a request that needs more rights than its route does. @throws {RequestRefusedError} `not-allowed` */
export function checkMay(visitor: Visitor, anyOf: readonly RequiredRole[]): void {
  if (!mayDo(visitor.role, anyOf)) throw notAllowed(visitor, anyOf);
}

function notAllowed({ name, role }: Visitor, access: readonly RequiredRole[]): RequestRefusedError {
  return new RequestRefusedError(
    403,
    'not-allowed',
    `Cannot do this as ${name}: the token is of role ${role}`,
    {
      next: [`a token of role ${rolesThatMay(access)}: signalbox token create --role ROLE`],
    },
  );
}
