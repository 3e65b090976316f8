import type { BackendOutage, LastKnown } from '@signalbox/core';
import type { FastifyInstance } from 'fastify';

/** Header of an answer that tells what was last known, of a backend that is away: of which moment, ISO 8601. */
const AS_OF = 'signalbox-as-of';

/**
 * Says with each answer to somebody known whether it is of now: it was away when they asked, or when they are told.
 */
export function tellAsOf(app: FastifyInstance, { away }: Pick<LastKnown, 'away'>): void {
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
