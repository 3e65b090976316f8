import { LONGEST_MODE_MS, Mode } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from './operation.ts';

export const ModeView = z
  .object({
    mode: Mode,
    since: z.number(),
    by: z.string(),
    reason: z.string(),
    back: z
      .object({ at: z.number(), to: Mode })
      .exactOptional()
      .describe('It is set for a time: when that is over (epoch milliseconds), and what comes back then'),
  })
  .meta({ id: 'ModeState' });
export type ModeView = z.infer<typeof ModeView>;

export const getMode = defineOperation('GET', '/api/mode', { response: { 200: ModeView } });

export const setMode = defineOperation('PUT', '/api/mode', {
  body: z.strictObject({
    mode: Mode,
    reason: z.string().trim().min(1).max(500),
    forMs: z
      .int()
      .positive()
      .max(LONGEST_MODE_MS)
      .optional()
      .describe('For so long, and then what was set before comes back; default: until somebody sets another'),
  }),
  response: { 200: ModeView },
});
