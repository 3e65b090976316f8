import type { Coordinator } from '@signalbox/coordinator';
import type { FastifyInstance } from 'fastify';
import { RequestRefusedError } from './problem.ts';

export type Activity = {
  /** Requests in progress: an open event stream and a call that is waited for count as one client each. */
  readonly open: number;
  /** Requests since the start. */
  readonly served: number;
};

/** Counts requests, and refuses those that start new work while the coordinator drains. */
export function watchRequests(
  app: FastifyInstance,
  coordinator: Pick<Coordinator, 'isEnding'>,
): { activity(): Activity } {
  let open = 0;
  let served = 0;
  app.addHook('onRequest', async ({ method, routeOptions }, { raw }) => {
    open += 1;
    served += 1;
    raw.once('close', () => {
      open -= 1;
    });
    if (coordinator.isEnding() && method === 'POST' && BEGINS.has(routeOptions.url ?? '')) throw isDraining();
  });
  return {
    activity: () => ({ open, served }),
  };
}

/** Requests that start new work; running work may send all others. */
const BEGINS: ReadonlySet<string> = new Set(['/api/commands', '/api/sessions', '/api/runs', '/mcp']);

function isDraining(): RequestRefusedError {
  return new RequestRefusedError(503, 'draining', 'Cannot start new work: the coordinator is about to stop', {
    why: ['`signalbox stop` was requested during other work; the coordinator stops when that has finished'],
    next: ['try again when it has stopped: the next subcommand starts another', 'signalbox status'],
  });
}
