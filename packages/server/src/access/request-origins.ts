import type { IncomingMessage } from 'node:http';
import type { createHostCheck } from './known-host.ts';
import type { Visitor } from './token-entry.ts';

/** The kind of address that accepts requests. */
export type ListenerAddress =
  /** Only the account that owns the workspace can open the socket, so no token and no origin is required. */
  | { readonly kind: 'socket'; readonly owner: Visitor }
  | { readonly kind: 'port'; readonly check: ReturnType<typeof createHostCheck> };

/** The listener that a request came through. */
export type RequestOrigin = ListenerAddress & {
  /** Aborted when that socket or port closes. */
  readonly closing: AbortSignal;
};

export type RequestOrigins = {
  note(request: IncomingMessage, origin: RequestOrigin): void;
  of(request: IncomingMessage): RequestOrigin;
};

/** Records which listener each request came through. Nothing that a client sends can change it. */
export function createRequestOrigins(): RequestOrigins {
  const origins = new WeakMap<IncomingMessage, RequestOrigin>();
  return {
    note: (request, origin) => void origins.set(request, origin),
    of(request) {
      const origin = origins.get(request);
      if (origin === undefined) throw new Error('A request came in by no listener');
      return origin;
    },
  };
}

/** Never the id of a token: those begin with `tok_`. */
export const OWNER_ID = 'owner';

export function ownerNamed(name: string): Visitor {
  return { tokenId: OWNER_ID, kind: 'local', name, role: 'operator', provider: null };
}
