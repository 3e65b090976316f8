import {
  CheckDecision,
  ClientEnvironment,
  EventId,
  ProviderId,
  RunId,
  SessionId,
  UntilResult,
} from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

/** One run of the line of a run, after all its sessions had given their answer. */
export const RunCheck = z
  .object({
    round: z.int().describe('From 1'),
    at: z.number().describe('When it ended, in epoch milliseconds'),
    result: UntilResult,
    next: CheckDecision.describe(
      '`again`: the sessions were told what failed, and continue; otherwise why the run ends',
    ),
  })
  .readonly()
  .meta({ id: 'RunCheck' });
export type RunCheck = z.infer<typeof RunCheck>;

/** Sessions that were started together. */
export const RunView = z
  .object({
    id: RunId,
    by: z.string().describe('Who started it'),
    state: z.enum(['running', 'ended', 'lost']).describe('`lost`: its coordinator ended before the run did'),
    sessions: z.array(SessionId).readonly(),
    until: z.string().nullable().describe('The line that checks whether the work is done'),
    untilSession: SessionId.nullable().describe('Session that this line runs under'),
    budgetUsd: z.number().nullable().describe('In US dollars, for all its sessions together'),
    startedAt: z.number(),
    endedAt: z.number().nullable(),
    firstEvent: EventId.describe('Its first event: send it as Last-Event-ID for all events since'),
    rounds: z.int().default(1).describe('How often the `until` line runs at most'),
    checks: z.array(RunCheck).readonly().default([]).describe('Each run of the `until` line, oldest first'),
    result: UntilResult.nullable().describe('Last result of the `until` line; null: not run (yet)'),
    stoppedBy: z.string().nullable(),
  })
  .readonly()
  .meta({ id: 'Run' });
export type RunView = z.infer<typeof RunView>;

const assignment = { provider: ProviderId, task: z.string().trim().min(1).max(10_000) };

/** Start options of sessions, alone or several. */
const conditions = {
  turns: z.int().min(1).max(10_000).optional().describe('Per session; default: from the settings'),
  budgetUsd: z
    .number()
    .positive()
    .optional()
    .describe('For all sessions together; default: from the settings'),
  priority: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('Priority of their calls, 0 is served first; default: from the settings'),
  keys: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), z.string().min(1).max(4096))
    .optional()
    .describe(
      'API keys by the environment variable in the settings; only for these sessions, kept only in memory. Default: those of the coordinator',
    ),
  clientEnv: ClientEnvironment.optional().describe(
    'Environment of their shell lines; only over the workspace socket. Default: the coordinator’s own',
  ),
  attended: z
    .boolean()
    .default(true)
    .describe(
      'Whether people may answer at any time: an expired approval pauses its session, and a session without turns left asks for more',
    ),
};

const RunParams = z.object({ id: RunId });

export const startSession = defineOperation('POST', '/api/sessions', {
  schema: {
    body: z.strictObject({ ...assignment, ...conditions }),
    response: { 202: z.object({ sessionId: SessionId, runId: RunId }) },
  },
});

export const listRuns = defineOperation('GET', '/api/runs', {
  schema: {
    response: { 200: z.object({ runs: z.array(RunView).readonly() }) },
  },
});

export const startRun = defineOperation('POST', '/api/runs', {
  schema: {
    body: z.strictObject({
      assignments: z.array(z.strictObject(assignment)).min(1).max(32),
      until: z
        .strictObject({ line: z.string().min(1).max(16_384), cwd: z.string().optional() })
        .nullable()
        .optional()
        .describe(
          'The line that checks whether the work is done. Absent: the tests of the workspace; null: none',
        ),
      rounds: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe('How often that line runs at most: after a failure the sessions continue; default: 3'),
      ...conditions,
    }),
    response: { 202: RunView },
  },
});

export const getRun = defineOperation('GET', '/api/runs/:id', {
  schema: {
    params: RunParams,
    response: { 200: RunView },
  },
});

export const resumeRun = defineOperation('POST', '/api/runs/:id/resume', {
  schema: {
    params: RunParams,
    body: z.strictObject({ keys: conditions.keys }),
    response: {
      202: z.object({
        waiting: z
          .array(z.string())
          .readonly()
          .describe('Why sessions of the run still wait; empty: all of them go on'),
      }),
    },
  },
});

export const stopRun = defineOperation('POST', '/api/runs/:id/stop', {
  schema: {
    params: RunParams,
    body: z.strictObject({ mode: z.enum(['graceful', 'force']).default('graceful') }).nullish(),
    response: { 202: z.object({ stopping: z.literal(true) }) },
  },
});
