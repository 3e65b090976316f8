import { NodeRecord } from '@signalbox/core';
import * as z from 'zod';
import { ModeView } from './mode.ts';
import { defineOperation } from '../operation.ts';

/** Current activity of a workspace, in numbers. */
export const StatusView = z
  .object({
    workspace: z.string(),
    mode: ModeView,
    coordinator: z
      .object({ pid: z.int(), host: z.string(), subcommand: z.string(), startedAt: z.number() })
      .describe('The one that answers; on Redis there may be others: `members`'),
    counts: z
      .object({
        running: z.int(),
        waiting: z.int().describe('For resources or a slot'),
        approvals: z.int().describe('Pending ones'),
        done: z.int(),
        failed: z.int().describe('Timed out ones too'),
        lost: z.int().optional().describe('Outcome unknown; absent from older servers'),
        denied: z.int().describe('By a person, a rule or the block list'),
        stale: z.int().describe('Rejected writes'),
      })
      .describe('Of commands; those that ended over the whole history'),
    maxConcurrent: z.int(),
    toolFilter: z
      .object({
        topK: z.int(),
        alwaysOn: z.int().describe('Entries of `always_on`'),
        embeddings: z.int().describe('Stored; 0 where tools are ranked by words'),
      })
      .nullable()
      .default(null)
      .describe('The tool filter; null while it is off'),
    judge: z
      .object({
        provider: z.string(),
        policies: z.int(),
        failOpen: z.boolean().describe('Calls continue when the judge can’t be asked'),
        shadow: z.boolean().describe('Denials are only recorded'),
      })
      .nullable()
      .default(null)
      .describe('The model that judges calls by policies in plain words; null while none does'),
    budgetUsd: z.number().nullable().describe('Of each run, as the settings say; null: none'),
    members: z
      .array(NodeRecord)
      .readonly()
      .nullable()
      .describe('Coordinators and workers on Redis; null where the workspace has one coordinator'),
  })
  .meta({ id: 'Status' });
export type StatusView = z.infer<typeof StatusView>;

export const getStatus = defineOperation('GET', '/api/status', { schema: { response: { 200: StatusView } } });
