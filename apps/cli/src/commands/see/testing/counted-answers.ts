import { CommandId, ProviderId } from '@signalbox/core';
import * as z from 'zod';

const Text = z.string();
const Users = z.array(z.strictObject({ provider: ProviderId, commands: z.int() })).min(1);

/** Output of `stats --by` with `--json`. */
export const COUNTED_ANSWERS = {
  'stats by tool': z.strictObject({
    tools: z
      .array(z.looseObject({ tool: Text, commands: z.int(), medianMs: z.number(), usedBy: Users }))
      .min(1),
    slowest: z
      .array(
        z.strictObject({
          command: CommandId,
          provider: ProviderId,
          tool: Text,
          title: Text,
          outcome: Text,
          durationMs: z.number(),
          waitedMs: z.number(),
          approvalMs: z.number(),
          endedAt: z.number(),
        }),
      )
      .length(1),
  }),
  'stats by file': z.strictObject({
    files: z
      .array(
        z.strictObject({
          path: Text,
          reads: z.int(),
          changes: z.int(),
          conflicts: z.int(),
          lastChangedAt: z.number().nullable(),
          touchedBy: Users,
        }),
      )
      .min(1),
  }),
} as const;
