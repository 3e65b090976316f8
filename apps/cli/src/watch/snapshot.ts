import {
  Claim,
  CommandId,
  CommandRecord,
  CommandState,
  EventId,
  Mode,
  ProviderId,
  SessionId,
} from '@signalbox/core';
import * as z from 'zod';

/** A command as the server shows it; what else it says of one is left out. */
export const SeenCommand = z.object(CommandRecord.unwrap().shape);

/** The last ones of a snapshot; it tells nothing of what was before them. */
export const MOST_COMMANDS = 200;

/** What the screen takes of `GET /api/snapshot`. */
export const Snapshot = z.object({
  workspace: z.string(),
  lastEventId: EventId.nullable(),
  you: z.object({ name: z.string(), role: z.string() }),
  mode: z.object({ mode: Mode }),
  isolation: z.string(),
  /** Newest first: the first of each state that are not done, and the last {@link MOST_COMMANDS}. */
  commands: z.array(SeenCommand),
  limits: z.object({ maxConcurrent: z.int() }),
  queue: z.object({
    counts: z.array(z.object({ state: CommandState, commands: z.int() })),
    waiting: z.array(
      z.object({ commandId: CommandId, claims: z.array(Claim), blockers: z.array(CommandId) }),
    ),
  }),
  sessions: z.array(
    z.object({
      id: SessionId,
      provider: ProviderId,
      state: z.enum(['running', 'ended']),
      turns: z.int(),
      costUsd: z.number().nullable(),
      says: z.string(),
      startedAt: z.number(),
      endedAt: z.number().nullable(),
      finish: z.string().nullable(),
    }),
  ),
});
export type Snapshot = z.infer<typeof Snapshot>;
