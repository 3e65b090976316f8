import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ClientPresence } from '../client-presence.ts';
import type { EntryCodes } from '../access/entry-codes.ts';
import type { FailedTries } from '../access/failed-tries.ts';
import type { TokenRegistry } from '../access/token-registry.ts';
import type { ServerOptions } from '../server-options.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import type { CommandViews } from '../views/command-view.ts';

/** Dependencies of routes. */
export type RouteParts = ServerOptions & {
  readonly views: CommandViews;
  readonly tokens: TokenRegistry;
  /** For read-only requests: last-known tokens while the backend is away. */
  readonly readTokens: Pick<TokenRegistry, 'find' | 'has'>;
  readonly codes: EntryCodes;
  readonly tries: FailedTries;
  readonly sessions: SessionRegistry;
  readonly clientPresence: ClientPresence;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
  /**
   * Aborted when the port or socket of the request closes: pending waits answer with the current state, and streams
   * end.
   */
  readonly closingOf: (request: FastifyRequest) => AbortSignal;
};

/** The server, with requests and answers typed by their schemas. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
