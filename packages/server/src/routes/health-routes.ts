import { getHealth, getMetrics, getReady } from '@signalbox/api';
import type { BackendOutage } from '@signalbox/core';
import type { Metrics } from '../metrics.ts';
import { RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const READY_WITHIN_MS = 2000;

/**
 * For monitoring: liveness, readiness and metrics.
 *
 * @param parts.store the backend's own: readiness needs a real store, not a remembered one
 * @param parts.metrics null: switched off
 */
export function healthRoutes(app: Routes, parts: RouteParts & { readonly metrics: Metrics | null }): void {
  const { store, coordinator, clock, metrics, version } = parts;
  const away = (): BackendOutage | null => parts.lastKnown?.away() ?? null;

  app.get(
    getHealth.url,
    {
      config: { access: 'anyone' },
      schema: {
        summary: 'Liveness, and whether the backend is unreachable, since when and why',
        tags: ['health'],
        ...getHealth.schema,
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
    getReady.url,
    {
      config: { access: 'anyone' },
      schema: { summary: 'Whether the store and the queue answer', tags: ['health'], ...getReady.schema },
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
      throw new RequestRefusedError(503, 'not-ready', 'Not ready: the store or the queue does not answer', {
        why: whyOf(away()),
        next: ['signalbox doctor'],
      });
    },
  );

  app.get(
    getMetrics.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Metrics for Prometheus',
        tags: ['health'],
        produces: ['text/plain'],
        ...getMetrics.schema,
      },
    },
    async (_, reply) => {
      if (metrics === null) throw metricsOff();
      return reply.header('content-type', metrics.contentType).send(await metrics.text());
    },
  );
}

function metricsOff(): RequestRefusedError {
  return new RequestRefusedError(404, 'metrics-off', 'Cannot give metrics: they are switched off', {
    why: ['monitoring.enable_metrics is false'],
    next: ['signalbox config set monitoring.enable_metrics true', 'signalbox stop'],
  });
}

function whyOf(away: BackendOutage | null): readonly string[] {
  return away === null ? [] : [`${away.why} since ${new Date(away.since).toISOString()}`];
}
