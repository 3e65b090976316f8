import type { Coordinator } from '@signalbox/coordinator';
import type { FastifyInstance } from 'fastify';
import { RequestRefusedError } from './problem.ts';

export type Activity = {
  /** Requests that are being answered: an open event stream and a call that is waited for are each a client. */
  readonly open: number;
  /** Requests that ever came. */
  readonly served: number;
};

/** Counts requests, and refuses those that begin something new while the coordinator drains. */
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

/** What is under way may ask for all else. */
const BEGINS: ReadonlySet<string> = new Set(['/api/commands', '/api/sessions', '/api/runs', '/mcp']);

function isDraining(): RequestRefusedError {
  return new RequestRefusedError(503, 'draining', 'Cannot begin anything: the coordinator is about to stop', {
    why: ['`signalbox stop` was asked for while others were at work; it ends when they have'],
    next: ['try again when it has stopped: the next subcommand starts another', 'signalbox status'],
  });
}
