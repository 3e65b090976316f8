import {
  CompressionMethod,
  type Event,
  NO_SAVINGS,
  ProviderId,
  RunId,
  Savings,
  SessionId,
  Usage,
} from '@signalbox/core';
import * as z from 'zod';
import { OUTCOMES } from './command-query.ts';
import { defineOperation } from '../operation.ts';

/** A provider at work on a task. */
export const SessionView = z
  .object({
    id: SessionId,
    runId: RunId.nullable().describe('The run that it belongs to'),
    provider: ProviderId,
    model: z.string(),
    task: z.string(),
    state: z.enum(['running', 'ended']),
    turns: z.int(),
    needsTurns: z
      .boolean()
      .describe(
        'It has used its turns, or a call failed critically, and waits: POST /api/sessions/{id}/turns',
      ),
    criticalFailure: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'Why it waits, in one line, if a call failed critically; any number of turns lets it continue',
      ),
    messages: z.int().default(0).describe('How often a person has said something to it'),
    isResting: z
      .boolean()
      .default(false)
      .describe('It has given its answer, and waits for the other sessions of its run and the check'),
    waitsFor: z
      .string()
      .nullable()
      .default(null)
      .describe('Why it can’t go on after a restart: POST /api/runs/{id}/resume with its key; null: it can'),
    resumed: z.int().default(0).describe('How often another coordinator went on with it'),
    calls: z.int(),
    context: z
      .object({
        tokens: z.int().describe('Of its conversation, at its last turn or compression'),
        of: z.int().nullable().describe('Tokens that its model’s context holds; null: unknown'),
        compressions: z.int().describe('How often its conversation was shortened'),
      })
      .readonly()
      // Older servers send none.
      .default({ tokens: 0, of: null, compressions: 0 }),
    usage: Usage,
    costUsd: z.number().nullable().describe('By the prices in the settings; null when they are unknown'),
    saved: Savings.default(NO_SAVINGS).describe(
      'Estimated tokens that filters, the tool filter and compressions spared its model, and calls that did not run again',
    ),
    says: z.string().describe('The model’s last message'),
    startedAt: z.number(),
    since: z.number().describe('When its last turn began, ended or failed, in epoch milliseconds'),
    retryAt: z.number().nullable().describe('When a failed turn is retried; null: no retry is pending'),
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

export const TranscriptItem = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('turn'),
      at: z.number(),
      turn: z.int(),
      says: z.string(),
      calls: z.int(),
      usage: Usage,
      costUsd: z.number().nullable(),
    }),
    z.object({
      kind: z.literal('compression'),
      at: z.number(),
      method: CompressionMethod.describe(
        '`triggered` by its size, `manual` by a person, `autonomous` by its model',
      ),
      how: z
        .enum(['summary', 'cut', 'none'])
        .describe('`cut`: results of the oldest calls were left out; `none`: nothing could be removed'),
      reason: z.string(),
      summary: z.string().describe('Written by a model, redacted; empty without one'),
      removed: z.int().describe('Messages that its model no longer reads; the transcript keeps them'),
      beforeTokens: z.int(),
      afterTokens: z.int(),
    }),
    z.object({
      kind: z.literal('message'),
      at: z.number(),
      text: z.string().describe('What a person said to the session; redacted'),
      by: z.string(),
      interrupts: z.boolean().describe('Its turn and its running commands were stopped for this'),
    }),
    z.object({
      kind: z.literal('restart'),
      at: z.number(),
      changed: z.int().describe('Files that its model had read and others changed before it went on'),
    }),
    z.object({ kind: z.literal('trouble'), at: z.number(), turn: z.int(), message: z.string() }),
    z.object({
      kind: z.literal('call'),
      at: z.number(),
      tool: z.string(),
      title: z.string().describe('The tool and its arguments, on one line; redacted'),
      commandId: z.string(),
      success: z.boolean().nullable().describe('Null: not done'),
      outcome: z.enum(OUTCOMES).nullable().describe('Null: not done'),
    }),
  ])
  .meta({ id: 'TranscriptItem' });
export type TranscriptItem = z.infer<typeof TranscriptItem>;

/** A compression as the transcript shows it. */
export function compressionOf(
  event: Event & { readonly type: 'context_compressed' },
): Extract<TranscriptItem, { kind: 'compression' }> {
  const { at, method, how, reason, summary, removed, beforeTokens, afterTokens } = event;
  return { kind: 'compression', at, method, how, reason, summary, removed, beforeTokens, afterTokens };
}

const SessionParams = z.object({ id: SessionId });

export const listSessions = defineOperation('GET', '/api/sessions', {
  schema: {
    response: { 200: z.object({ sessions: z.array(SessionView).readonly() }) },
  },
});

export const getTranscript = defineOperation('GET', '/api/sessions/:id/transcript', {
  schema: {
    params: SessionParams,
    response: { 200: z.object({ session: SessionView, items: z.array(TranscriptItem).readonly() }) },
  },
});

export const grantTurns = defineOperation('POST', '/api/sessions/:id/turns', {
  schema: {
    params: SessionParams,
    body: z.strictObject({ turns: z.int().min(0).max(10_000) }),
    response: { 202: z.object({ turns: z.int() }) },
  },
});

export const sayToSession = defineOperation('POST', '/api/sessions/:id/messages', {
  schema: {
    params: SessionParams,
    body: z.strictObject({
      text: z.string().trim().min(1).max(10_000),
      interrupts: z
        .boolean()
        .default(false)
        .describe('Stop its turn and its running commands, so that its model reads this at once'),
    }),
    response: { 202: z.object({ said: z.literal(true) }) },
  },
});

export const compressSession = defineOperation('POST', '/api/sessions/:id/compress', {
  schema: {
    params: SessionParams,
    body: z.strictObject({}).nullish(),
    response: { 202: z.object({ requested: z.literal(true) }) },
  },
});

export const stopSession = defineOperation('POST', '/api/sessions/:id/stop', {
  schema: {
    params: SessionParams,
    body: z.strictObject({}).nullish(),
    response: { 202: z.object({ stopping: z.literal(true) }) },
  },
});
