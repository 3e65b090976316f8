import { CommandState, Level, ProviderId, SessionId } from '@signalbox/core';
import * as z from 'zod';

export const OUTCOMES = [
  'completed',
  'failed',
  'denied',
  'blocked',
  'conflict',
  'cancelled',
  'timed_out',
  'lost',
] as const;

/** Several values with commas: `?state=queued,running`. */
function listOf<Value extends string>(value: z.ZodType<Value, string>) {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(value));
}

const filters = {
  provider: ProviderId.optional(),
  session: SessionId.optional(),
  tool: z.string().max(64).optional(),
  state: listOf(CommandState).optional().describe('States, with commas: `queued,running`'),
  outcome: listOf(z.enum(OUTCOMES)).optional().describe('Outcomes, with commas: `failed,conflict`'),
  level: Level.optional(),
  path: z.string().max(4096).optional().describe('Touched this file, or a path below this folder'),
  text: z.string().max(200).optional().describe('In title, tool, provider or id'),
  from: z.coerce.number().optional().describe('Submitted at or after this, in epoch milliseconds'),
  to: z.coerce.number().optional().describe('Submitted at or before this, in epoch milliseconds'),
};

const Cursor = z.string().max(100).optional().describe('`next` of the previous page');

export const CommandQuery = z.object({
  ...filters,
  id: z
    .string()
    .regex(/^(?:cmd_)?[0-9a-z]{3,12}$/)
    .optional()
    .describe('Prefix of an id, at least 3 letters, with or without `cmd_`; other filters are ignored then'),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type CommandQuery = z.infer<typeof CommandQuery>;

export const ExportQuery = z.object({
  ...filters,
  cursor: Cursor.describe('Only commands after the page that returned it'),
  format: z.enum(['jsonl', 'csv']).default('jsonl'),
});
