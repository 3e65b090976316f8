import { ProviderId, RunId, SessionId, Usage } from '@signalbox/core';
import * as z from 'zod';

/** A provider at work on a task. */
export const SessionView = z
  .strictObject({
    id: SessionId,
    runId: RunId.nullable().describe('The run that it belongs to'),
    provider: ProviderId,
    model: z.string(),
    task: z.string(),
    state: z.enum(['running', 'ended']),
    turns: z.int(),
    needsTurns: z
      .boolean()
      .describe('It has used its turns and waits for more: POST /api/sessions/{id}/turns'),
    calls: z.int(),
    usage: Usage,
    costUsd: z.number().nullable().describe('By the prices of the settings; null where they are not known'),
    says: z.string().describe('What the model said last'),
    startedAt: z.number(),
    endedAt: z.number().nullable(),
    finish: z
      .string()
      .nullable()
      .describe('`finished`, `max_iterations`, `cancelled`, `failed`, `refused`, `budget`, `lost`'),
    message: z.string().nullable(),
  })
  .readonly()
  .meta({ id: 'Session' });
export type SessionView = z.infer<typeof SessionView>;
