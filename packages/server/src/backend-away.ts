import type { BackendOutage, LastKnown } from '@signalbox/core';
import type { FastifyInstance } from 'fastify';

/**
 * Header of an answer that comes from the last-known state while the backend is away: the moment of that state, ISO
 * 8601.
 */
const AS_OF = 'signalbox-as-of';

/** Marks answers to known visitors as last-known when the backend was away at the request or at the answer. */
export function markLastKnown(app: FastifyInstance, { away }: Pick<LastKnown, 'away'>): void {
  const asked = new WeakMap<object, BackendOutage>();
  app.addHook('onRequest', async (request) => {
    const absence = away();
    if (absence !== null) asked.set(request, absence);
  });
  app.addHook('onSend', async (request, reply) => {
    const absence = away() ?? asked.get(request) ?? null;
    if (absence === null || request.visitor === null || reply.statusCode >= 400) return;
    reply.header(AS_OF, new Date(absence.asOf).toISOString());
  });
}
