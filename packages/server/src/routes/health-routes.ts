import * as z from 'zod';
import type { Metrics } from '../metrics.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const READY_WITHIN_MS = 2000;

/** For machines that look after us: are we alive, can we work, how much. */
export function healthRoutes(app: Routes, parts: RouteParts & { readonly metrics: Metrics }): void {
  const { store, coordinator, clock, metrics, version } = parts;

  app.get(
    '/health',
    {
      config: { access: 'anyone' },
      schema: {
        summary: 'Alive',
        tags: ['health'],
        response: { 200: z.strictObject({ status: z.literal('ok'), version: z.string() }), default: Problem },
      },
    },
    async () => ({ status: 'ok' as const, version }),
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
      const answers = Promise.all([store.list({ limit: 1 }), coordinator.queue()]).then(
        () => true,
        () => false,
      );
      if (await Promise.race([answers, late])) return { status: 'ready' as const };
      throw new RequestRefusedError(
        503,
        'not-ready',
        'Cannot work now: the store or the queue does not answer',
        {
          next: ['signalbox doctor'],
        },
      );
    },
  );

  app.get(
    '/metrics',
    {
      config: { access: ['look'] },
      schema: { summary: 'Numbers for Prometheus', tags: ['health'] },
    },
    async (_, reply) => reply.header('content-type', metrics.contentType).send(await metrics.text()),
  );
}
