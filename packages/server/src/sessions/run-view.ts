import { EventId, RunId, SessionId, UntilResult } from '@signalbox/core';
import * as z from 'zod';

/** Sessions that were started together. */
export const RunView = z
  .strictObject({
    id: RunId,
    by: z.string().describe('Who started it'),
    state: z.enum(['running', 'ended', 'lost']).describe('`lost`: its coordinator has ended before it'),
    sessions: z.array(SessionId).readonly(),
    until: z.string().nullable().describe('The line that says whether the work is done'),
    budgetUsd: z.number().nullable().describe('In US dollars, of all its sessions together'),
    startedAt: z.number(),
    endedAt: z.number().nullable(),
    firstEvent: EventId.describe('Its first event: send it as Last-Event-ID for all that happened since'),
    result: UntilResult.nullable().describe('How the line of `until` ended; null: it was not run (yet)'),
    stoppedBy: z.string().nullable(),
  })
  .readonly()
  .meta({ id: 'Run' });
export type RunView = z.infer<typeof RunView>;
