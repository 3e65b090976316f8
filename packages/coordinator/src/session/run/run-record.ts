import {
  ClientEnvironment,
  type Json,
  ProviderId,
  RunId,
  SessionId,
  type StoredRun,
  UntilResult,
} from '@signalbox/core';
import * as z from 'zod';
import { sessionStepOf, type SessionStep } from '../session-step.ts';

/** Name of the part of a stored run that is no session. */
export const RUN_PART = 'run';

/** What continues a run besides the steps of its sessions. */
export const RunRecord = z
  .object({
    by: z.string(),
    /** `task` is redacted. */
    sessions: z.array(z.object({ sessionId: SessionId, provider: ProviderId, task: z.string() })).readonly(),
    /** As written, secrets included: it has yet to run. */
    until: z.object({ line: z.string(), cwd: z.string().optional() }).nullable(),
    untilSession: SessionId,
    rounds: z.int().min(1),
    turns: z.int().optional(),
    priority: z.int().optional(),
    clientEnv: ClientEnvironment.optional(),
    attended: z.boolean(),
    /** In US dollars. */
    limitUsd: z.number().nullable(),
    spentUsd: z.number(),
    stoppedBy: z.string().nullable(),
    checks: z.object({
      round: z.int().min(0),
      last: UntilResult.nullable(),
      lastFailure: z.string().nullable(),
      isOver: z.boolean(),
    }),
  })
  .readonly();
export type RunRecord = z.infer<typeof RunRecord>;

/** A run that another process has left. */
export type LeftRun = {
  readonly id: RunId;
  readonly record: RunRecord;
  /** The last step of each session; undefined for one that had not begun, null for one that can't be read. */
  readonly stepOf: (id: SessionId) => SessionStep | null | undefined;
};

/** Null for one that can't be read: another version has written it, or it is damaged. */
export function leftRunOf({ id, parts }: StoredRun): LeftRun | null {
  const record = RunRecord.safeParse(parts[RUN_PART]).data;
  if (record === undefined) return null;
  return { id, record, stepOf: (session) => stepIn(parts[session]) };
}

function stepIn(stored: Json | undefined): SessionStep | null | undefined {
  if (stored === undefined) return undefined;
  try {
    return sessionStepOf(stored);
  } catch {
    return null;
  }
}
