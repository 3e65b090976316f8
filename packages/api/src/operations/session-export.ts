import { JsonObject, PersonQuestion, SessionId, Usage } from '@signalbox/core';
import * as z from 'zod';
import { OUTCOMES } from './command-query.ts';
import { defineOperation } from '../operation.ts';
import { SessionView, TranscriptItem } from './session.ts';

const [TURN, COMPRESSION, MESSAGE, RESTART, TROUBLE] = TranscriptItem.options;

/** One line of an exported session, in the order in which it happened; all text is redacted. */
export const SessionEntry = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('session'), session: SessionView }),
    TURN,
    COMPRESSION,
    MESSAGE,
    RESTART,
    TROUBLE,
    z.object({
      kind: z.literal('call'),
      at: z.number(),
      commandId: z.string(),
      tool: z.string(),
      title: z.string(),
      args: JsonObject.nullable().describe('Null: the history has dropped the command'),
    }),
    z.object({
      kind: z.literal('approval'),
      at: z.number().describe('When it was requested'),
      commandId: z.string(),
      status: z.enum(['pending', 'granted', 'refused', 'expired']),
      by: z.string().nullable().describe('Who decided; null: nobody'),
      answeredAt: z.number().nullable(),
      reason: z.string().nullable(),
      question: PersonQuestion.nullable().describe('What the model asked; null: the call needed approval'),
      answer: z.string().nullable(),
    }),
    z.object({
      kind: z.literal('result'),
      at: z.number(),
      commandId: z.string(),
      success: z.boolean(),
      outcome: z.enum(OUTCOMES).nullable(),
      content: z
        .string()
        .nullable()
        .describe('As the model read it; null: the history has dropped the command'),
      notes: z.array(z.string()).readonly(),
      changed: z.array(z.string()).readonly().describe('Files that it changed'),
    }),
    z.object({
      kind: z.literal('end'),
      at: z.number(),
      finish: z.string(),
      message: z.string(),
      turns: z.int(),
      usage: Usage,
      costUsd: z.number().nullable(),
    }),
  ])
  .meta({ id: 'SessionEntry' });
export type SessionEntry = z.infer<typeof SessionEntry>;

export const exportSession = defineOperation('GET', '/api/sessions/:id/export', {
  schema: {
    params: z.object({ id: SessionId }),
    querystring: z.object({ format: z.enum(['jsonl', 'markdown']).default('jsonl') }),
    response: { 200: z.unknown() },
  },
});
