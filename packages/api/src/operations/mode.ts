import { LONGEST_MODE_MS, Mode } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

export const ModeView = z
  .object({
    mode: Mode,
    since: z.number(),
    by: z.string(),
    reason: z.string(),
    back: z
      .object({ at: z.number(), to: Mode })
      .exactOptional()
      .describe('Set for a timed mode: its end (epoch milliseconds), and the mode that follows'),
  })
  .meta({ id: 'ModeState' });
export type ModeView = z.infer<typeof ModeView>;

export const getMode = defineOperation('GET', '/api/mode', { schema: { response: { 200: ModeView } } });

export const setMode = defineOperation('PUT', '/api/mode', {
  schema: {
    body: z.strictObject({
      mode: Mode,
      reason: z.string().trim().min(1).max(500),
      forMs: z
        .int()
        .positive()
        .max(LONGEST_MODE_MS)
        .optional()
        .describe('For this long, then the previous mode returns; default: until another is set'),
    }),
    response: { 200: ModeView },
  },
});
