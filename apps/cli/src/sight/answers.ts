import { ForgottenCommand, StuckCommand } from '@signalbox/coordinator';
import { Claim, CommandId, CommandState, Lease, Mode, ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { SeenCommand } from '../watch/snapshot.ts';

// What terminals take of the answers of a server; what else it says is left out.

export const CommandsPage = z.object({
  commands: z.array(SeenCommand),
  next: z.string().nullable(),
  forgotten: z.array(ForgottenCommand).readonly().default([]),
});

export const QueueSeen = z.object({
  waiting: z.array(
    z.object({
      commandId: CommandId,
      provider: ProviderId,
      claims: z.array(Claim),
      priority: z.int(),
      since: z.number(),
      blockers: z.array(CommandId),
    }),
  ),
  leases: z.array(Lease),
  counts: z.array(z.object({ state: CommandState, provider: ProviderId, commands: z.int() })),
  stuck: z.array(StuckCommand),
});

export const ModeSeen = z.object({
  mode: Mode,
  since: z.number(),
  by: z.string(),
  reason: z.string(),
  back: z.object({ at: z.number(), to: Mode }).exactOptional(),
});

/** Of `/api/snapshot`, what does not change while it works. */
export const HouseSeen = z.object({
  workspace: z.string(),
  limits: z.object({ maxConcurrent: z.int() }),
});

export const StatsSeen = z.object({
  providers: z.array(
    z.object({
      provider: ProviderId,
      commands: z.int(),
      completed: z.int(),
      failed: z.int(),
      denied: z.int(),
      cancelled: z.int(),
      meanMs: z.number(),
      medianMs: z.number(),
      p95Ms: z.number(),
      waitedMs: z.number(),
      approvalMs: z.number(),
      cpuMs: z.number(),
      peakMemoryBytes: z.number(),
      mostUsed: z.array(z.object({ tool: z.string(), commands: z.int() })),
    }),
  ),
  approvals: z.object({
    granted: z.int(),
    refused: z.int(),
    expired: z.int(),
    medianAnswerMs: z.number().nullable(),
  }),
  questions: z
    .array(
      z.object({
        rule: z.string(),
        reason: z.string(),
        asked: z.int(),
        approved: z.int(),
        denied: z.int(),
        expired: z.int(),
      }),
    )
    // A server of an earlier version says nothing of them.
    .default([]),
  remedy: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('network'),
        profile: z.enum(['packages', 'remotes']),
        example: z.string(),
        saves: z.int(),
        asked: z.int(),
      }),
      z.object({ kind: z.literal('rule'), line: z.string(), saves: z.int(), asked: z.int() }),
    ])
    .nullable()
    .default(null),
  busiestFile: z.object({ path: z.string(), changes: z.int() }).nullable(),
});

export const FileDiffs = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      added: z.int(),
      removed: z.int(),
      patch: z.string(),
      current: z.boolean(),
    }),
  ),
});

export const OutputPart = z.object({ text: z.string(), to: z.int(), totalBytes: z.int() });

export const You = z.object({ name: z.string(), role: z.string() });

export const Revoked = z.object({ kind: z.enum(['cancelled', 'stopping']) });

export const Cancelled = z.object({ kind: z.enum(['cancelled', 'stopping', 'already-done']) });
