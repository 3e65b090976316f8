import {
  ClientEnvironment,
  CommandId,
  CommandRecord,
  ForgottenCommand,
  JsonObject,
  Phase,
  ProviderId,
  SessionId,
} from '@signalbox/core';
import * as z from 'zod';
import { CommandQuery, ExportQuery } from './command-query.ts';
import { defineOperation } from '../operation.ts';

const PublishedStatus = z.enum([
  'pending',
  'queued',
  'running',
  'completed',
  'failed',
  'denied',
  'cancelled',
]);

/** A command as the API shows it: its record, redacted. */
export const CommandView = z
  .object({
    ...CommandRecord.unwrap().shape,
    status: PublishedStatus.describe('Its state in the words of specification 003'),
  })
  .readonly()
  .meta({ id: 'Command' });
export type CommandView = z.infer<typeof CommandView>;

/** The record that a view shows, for stores and terminals. */
export function recordOf(view: CommandView): CommandRecord {
  const { status: _, ...record } = view;
  return record;
}

/** Path parameters of operations on one command. */
export const CommandParams = z.object({ id: CommandId });

const NewCommand = z
  .strictObject({
    // An unknown tool name is answered as a call, with a suggestion.
    tool: z.string().max(256).describe('Name of a tool, such as `bash` or `read_file`'),
    args: JsonObject,
    callId: z.string().min(1).max(256).optional().describe('Yours; default: a fresh one'),
    sessionId: SessionId.optional().describe('Calls of one task share one; default: a fresh one'),
    provider: ProviderId.optional().describe('The calling provider; for a provider token always its own'),
    priority: z.int().min(0).max(1000).optional(),
    timeoutMs: z.int().positive().max(3_600_000).optional(),
    says: z.string().max(2000).optional(),
    task: z.string().max(10_000).optional(),
    asking: z.enum(['wait', 'never']).optional(),
    clientEnv: ClientEnvironment.optional().describe(
      'Environment of its shell line; only over the workspace socket. Default: the coordinator’s own',
    ),
    callerId: z.string().min(1).max(200).optional().describe('The sub-agent that calls, for the audit log'),
    phase: Phase.optional().describe('Phase of the caller’s task; for a provider token always `executor`'),
    wait: z.boolean().default(false).describe('Answer when it is done, instead of at once'),
    attend: z
      .boolean()
      .default(false)
      .describe('You attend it next: it is cancelled if you have not done so within 30 s'),
  })
  .meta({ id: 'NewCommand' });

export const submitCommand = defineOperation('POST', '/api/commands', {
  schema: {
    body: NewCommand,
    response: { 200: CommandView, 202: CommandView },
  },
});

export const CommandList = z.object({
  commands: z.array(CommandView).readonly(),
  next: z.string().nullable(),
  forgotten: z
    .array(ForgottenCommand)
    .readonly()
    .optional()
    .describe('With `id`, when none is stored: commands that the history has dropped'),
});
export type CommandList = z.infer<typeof CommandList>;

export const listCommands = defineOperation('GET', '/api/commands', {
  schema: {
    querystring: CommandQuery,
    response: { 200: CommandList },
  },
});

export const getCommand = defineOperation('GET', '/api/commands/:id', {
  schema: {
    params: CommandParams,
    querystring: z.object({
      wait: z.coerce
        .number()
        .int()
        .min(0)
        .max(600_000)
        .default(0)
        .describe('Answer when it is done, or after this many milliseconds'),
    }),
    response: { 200: CommandView },
  },
});

export const attendCommand = defineOperation('POST', '/api/commands/:id/attend', {
  schema: {
    params: CommandParams,
    body: z.strictObject({ wait: z.int().min(0).max(600_000).describe('In milliseconds') }),
    response: { 200: CommandView },
  },
});

export const cancelCommand = defineOperation('POST', '/api/commands/:id/cancel', {
  schema: {
    params: CommandParams,
    body: z
      .strictObject({
        reason: z.string().min(1).max(500).optional(),
        haste: z
          .enum(['gently', 'now'])
          .optional()
          .describe(
            '`gently` (default): asked first, killed after a grace. `now`: killed, also while it is being stopped gently',
          ),
      })
      .nullish(),
    response: { 200: z.object({ kind: z.enum(['cancelled', 'stopping', 'already-done']) }) },
  },
});

export const prioritizeCommand = defineOperation('POST', '/api/commands/:id/priority', {
  schema: {
    params: CommandParams,
    body: z.strictObject({ priority: z.int().min(0).max(1000).describe('0 is served first; 100 is usual') }),
    response: { 200: z.strictObject({ kind: z.enum(['prioritized', 'not-waiting']) }) },
  },
});

/** Answers with a file: JSON Lines or CSV. */
export const exportHistory = defineOperation('GET', '/api/history/export', {
  schema: {
    querystring: ExportQuery,
    response: { 200: z.unknown() },
  },
});
