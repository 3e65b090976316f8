import { ModelRequestPurpose, ProviderId, Usage } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

const SkippedCalls = z.object({ calls: z.int(), tokens: z.int() });
const NONE_SKIPPED = { skipped: { calls: 0, tokens: 0 }, inShadow: { calls: 0, tokens: 0 } };
const ArgumentNumbers = z.object({ calls: z.int(), invalid: z.int() });
/** From older servers. */
const NO_COMPLEX_CALLS = { withThoughts: { calls: 0, invalid: 0 }, without: { calls: 0, invalid: 0 } };

export const ProviderStats = z
  .object({
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
    reused: z.int().describe('Answered by the result of an earlier command, of those in the history'),
    savedMs: z.number().describe('How long the runs took that were not repeated'),
    savedTokens: z
      .int()
      .default(0)
      .describe('Estimated tokens that filters left out of outputs; absent from older servers'),
    suspects: z
      .int()
      .default(0)
      .describe('Calls, of those in the history, with a path or an id that their model may have made up'),
    utility: z
      .object({ skipped: SkippedCalls, inShadow: SkippedCalls })
      .default(NONE_SKIPPED)
      .describe(
        'Calls, of those in the history, that the utility gate skipped or would have skipped, and the estimated tokens of their answers',
      ),
    complexCalls: z
      .object({ withThoughts: ArgumentNumbers, without: ArgumentNumbers })
      .default(NO_COMPLEX_CALLS)
      .describe(
        'Calls of tools with a complex schema, by whether the model thought before it wrote the arguments',
      ),
    mostUsed: z.array(z.object({ tool: z.string(), commands: z.int() })).readonly(),
  })
  .meta({ id: 'ProviderStats' });
export type ProviderStats = z.infer<typeof ProviderStats>;

export const Stats = z.object({
  providers: z.array(ProviderStats).readonly(),
  approvals: z.object({
    granted: z.int(),
    refused: z.int(),
    expired: z.int(),
    cancelled: z.int().describe('Closed with their commands before an answer'),
    medianAnswerMs: z.number().nullable().describe('Null before the first answer'),
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
        cancelled: z.int().describe('Closed with their commands before an answer'),
      }),
    )
    .readonly()
    .describe('Why commands needed approval, most frequent first'),
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
    .describe('The list of hosts or the rule that would have avoided the most approvals'),
  toolFilter: z
    .object({ turns: z.int(), tokensSaved: z.int() })
    .default({ turns: 0, tokensSaved: 0 })
    .describe('Turns whose offer the tool filter shortened, and the estimated tokens that it saved'),
  busiestFile: z
    .object({ path: z.string(), changes: z.int() })
    .nullable()
    .describe('The file that commands changed most often'),
  modelRequests: z
    .array(
      z.object({
        purpose: ModelRequestPurpose,
        asked: ProviderId,
        requests: z.int(),
        failed: z.int(),
        usage: Usage,
        costUsd: z.number().nullable().describe('Null without prices in the settings'),
      }),
    )
    .readonly()
    .default([])
    .describe('Single requests to models outside the turns of sessions; absent from older servers'),
  compressions: z
    .object({
      triggered: z.int().describe('By the size of the conversation'),
      manual: z.int().describe('By a person'),
      autonomous: z.int().describe('By its model'),
      cut: z.int().describe('Of all, those without a summary'),
      tokensRemoved: z.int().describe('Estimated tokens that the next requests had less'),
    })
    .default({ triggered: 0, manual: 0, autonomous: 0, cut: 0, tokensRemoved: 0 })
    .describe('Compressed conversations; absent from older servers'),
});
export type Stats = z.infer<typeof Stats>;

export const getStats = defineOperation('GET', '/api/stats', {
  schema: {
    querystring: z.object({ since: z.coerce.number().optional().describe('Epoch milliseconds') }),
    response: { 200: Stats },
  },
});

export const TimelineBucketView = z
  .object({
    at: z.number().describe('Its start, in epoch milliseconds'),
    commands: z.int(),
    completed: z.int(),
    failed: z.int(),
    denied: z.int(),
    cancelled: z.int(),
    medianMs: z.number().describe('For commands that ran; 0 when none did'),
    p95Ms: z.number(),
    longestWaitMs: z.number(),
    longestApprovalMs: z.number(),
    cpuMs: z.number(),
    peakMemoryBytes: z.number(),
  })
  .meta({ id: 'TimelineBucket' });
export type TimelineBucketView = z.infer<typeof TimelineBucketView>;

export const TimelineView = z
  .object({
    bucketMs: z.number(),
    buckets: z.array(TimelineBucketView).readonly().describe('Oldest first, without gaps'),
    mostUsed: z
      .array(
        z.object({
          title: z.string(),
          commands: z.int(),
          failed: z.int(),
          medianMs: z.number(),
        }),
      )
      .readonly()
      .describe('Most frequent first, at most 10'),
  })
  .meta({ id: 'Timeline' });
export type TimelineView = z.infer<typeof TimelineView>;

const MAX_BUCKETS = 200;

export const getTimeline = defineOperation('GET', '/api/stats/timeline', {
  schema: {
    querystring: z.object({
      from: z.coerce.number().optional().describe('Epoch milliseconds; default: a day before `to`'),
      to: z.coerce.number().optional().describe('Epoch milliseconds; default: now'),
      buckets: z.coerce.number().int().min(1).max(MAX_BUCKETS).default(48),
      provider: ProviderId.optional(),
    }),
    response: { 200: TimelineView },
  },
});
