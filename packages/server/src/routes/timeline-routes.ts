import { getTimeline } from '@signalbox/api';
import { RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const DAY_MS = 86_400_000;

/** Numbers over time. */
export function timelineRoutes(app: Routes, { coordinator, clock, redactor }: RouteParts): void {
  app.get(
    getTimeline.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Numbers over time, from the stored history',
        tags: ['workspace'],
        ...getTimeline.schema,
      },
    },
    async (request) => {
      const { buckets, provider, to = clock.now(), from = to - DAY_MS } = request.query;
      if (!(to > from)) {
        throw new RequestRefusedError(
          400,
          'invalid-request',
          'Cannot count over no time: `to` must be after `from`',
        );
      }
      const timeline = await coordinator.monitor.timeline({
        from,
        to,
        buckets,
        ...(provider === undefined ? {} : { provider }),
      });
      return {
        bucketMs: timeline.bucketMs,
        buckets: timeline.buckets,
        mostUsed: timeline.mostUsed.map((one) => ({ ...one, title: redactor.redact(one.title) })),
      };
    },
  );
}
