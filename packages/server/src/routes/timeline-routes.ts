import { ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { Problem, RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const DAY_MS = 86_400_000;
const MOST_BUCKETS = 200;

const Bucket = z
  .strictObject({
    at: z.number().describe('Where it begins, in epoch milliseconds'),
    commands: z.int(),
    completed: z.int(),
    failed: z.int(),
    denied: z.int(),
    cancelled: z.int(),
    medianMs: z.number().describe('Of commands that ran; 0 when none did'),
    p95Ms: z.number(),
    longestWaitMs: z.number(),
    longestApprovalMs: z.number(),
    cpuMs: z.number(),
    peakMemoryBytes: z.number(),
  })
  .meta({ id: 'TimelineBucket' });

const Timeline = z
  .strictObject({
    bucketMs: z.number(),
    buckets: z.array(Bucket).describe('Oldest first, without gaps'),
    mostUsed: z
      .array(
        z.strictObject({
          title: z.string(),
          commands: z.int(),
          failed: z.int(),
          medianMs: z.number(),
        }),
      )
      .describe('Most frequent first, at most 10'),
  })
  .meta({ id: 'Timeline' });

/** Numbers over time. */
export function timelineRoutes(app: Routes, { coordinator, clock, redactor }: RouteParts): void {
  app.get(
    '/api/stats/timeline',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Numbers over time, over the kept history',
        tags: ['house'],
        querystring: z.object({
          from: z.coerce.number().optional().describe('Epoch milliseconds; default: a day before `to`'),
          to: z.coerce.number().optional().describe('Epoch milliseconds; default: now'),
          buckets: z.coerce.number().int().min(1).max(MOST_BUCKETS).default(48),
          provider: ProviderId.optional(),
        }),
        response: { 200: Timeline, default: Problem },
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
        buckets: [...timeline.buckets],
        mostUsed: timeline.mostUsed.map((one) => ({ ...one, title: redactor.redact(one.title) })),
      };
    },
  );
}
