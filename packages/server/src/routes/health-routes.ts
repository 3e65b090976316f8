import type { BackendAway } from '@signalbox/core';
import * as z from 'zod';
import type { Metrics } from '../metrics.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const READY_WITHIN_MS = 2000;

const Health = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  away: z
    .strictObject({
      since: z.number().describe('Epoch milliseconds'),
      asOf: z.number().describe('Of which moment is what is told meanwhile, epoch milliseconds'),
      why: z.string(),
    })
    .nullable()
    .describe('Null while the backend answers'),
  recovering: z
    .strictObject({ done: z.int(), of: z.int() })
    .nullable()
    .describe('Commands of before the start that are taken up: calls queue behind them; null when all are'),
});

/**
 * For machines that look after us: are we alive, can we work, how much.
 *
 * @param parts.store the backend's own: what is only remembered is no store to work with
 */
export function healthRoutes(app: Routes, parts: RouteParts & { readonly metrics: Metrics }): void {
  const { store, coordinator, clock, metrics, version } = parts;
  const away = (): BackendAway | null => parts.lastKnown?.away() ?? null;

  app.get(
    '/health',
    {
      config: { access: 'anyone' },
      schema: {
        summary: 'Alive; and whether the backend is away, since when and why',
        tags: ['health'],
        response: { 200: Health, default: Problem },
      },
    },
    async () => ({
      status: 'ok' as const,
      version,
      away: away(),
      recovering: coordinator.recovery.progress(),
    }),
  );

  app.get(
    '/ready',
    {
      config: { access: 'anyone' },
      schema: {
        summary: 'Whether the store and the queue answer',
        tags: ['health'],
        response: { 200: z.strictObject({ status: z.literal('ready') }), default: Problem },
      },
    },
    async () => {
      const late = new Promise<false>((resolve) => {
        clock.timer(READY_WITHIN_MS, () => {
          resolve(false);
        });
      });
      const answers = Promise.all([store.list({ limit: 1 }), coordinator.queue(1)]).then(
        () => true,
        () => false,
      );
      if (await Promise.race([answers, late])) return { status: 'ready' as const };
      throw new RequestRefusedError(
        503,
        'not-ready',
        'Cannot work now: the store or the queue does not answer',
        {
          why: whyOf(away()),
          next: ['signalbox doctor'],
        },
      );
    },
  );

  app.get(
    '/metrics',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Numbers for Prometheus',
        tags: ['health'],
        produces: ['text/plain'],
        response: { 200: z.unknown(), default: Problem },
      },
    },
    async (_, reply) => reply.header('content-type', metrics.contentType).send(await metrics.text()),
  );
}

function whyOf(away: BackendAway | null): readonly string[] {
  return away === null ? [] : [`${away.why} since ${new Date(away.since).toISOString()}`];
}
