import { LONGEST_MODE_MS } from '@signalbox/coordinator';
import { Mode } from '@signalbox/core';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

export const ModeState = z
  .strictObject({
    mode: Mode,
    since: z.number(),
    by: z.string(),
    reason: z.string(),
    back: z
      .strictObject({ at: z.number(), to: Mode })
      .optional()
      .describe('It is set for a time: when that is over (epoch milliseconds), and what comes back then'),
  })
  .meta({ id: 'ModeState' });

const NewMode = z.strictObject({
  mode: Mode,
  reason: z.string().trim().min(1).max(500),
  forMs: z
    .int()
    .positive()
    .max(LONGEST_MODE_MS)
    .optional()
    .describe('For so long, and then what was set before comes back; default: until somebody sets another'),
});

/** The operational mode: look and set. */
export function modeRoutes(app: Routes, { coordinator }: RouteParts): void {
  app.get(
    '/api/mode',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'The operational mode',
        tags: ['policy'],
        response: { 200: ModeState, default: Problem },
      },
    },
    () => coordinator.mode(),
  );

  app.put(
    '/api/mode',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Set the operational mode, for good or for a time',
        tags: ['policy'],
        body: NewMode,
        response: { 200: ModeState, default: Problem },
      },
    },
    (request) => {
      const { mode, reason, forMs } = request.body;
      return coordinator.setMode(mode, visitorOfRequest(request).name, reason, forMs);
    },
  );
}
