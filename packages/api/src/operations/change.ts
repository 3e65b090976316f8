import { CommandId, ProviderId, SessionId } from '@signalbox/core';
import * as z from 'zod';
import { CommandParams, CommandView } from './command.ts';
import { OUTCOMES } from './command-query.ts';
import { defineOperation } from '../operation.ts';

/** A file that a command changed. */
export const FileDiff = z
  .object({
    path: z.string(),
    added: z.int(),
    removed: z.int(),
    patch: z.string().describe("In git's form"),
    current: z.boolean().describe('Whether the file is still as the command left it'),
    byHand: z.boolean().describe('Whether it was edited since, and not by a command'),
    deleted: z.literal(true).optional().describe('Whether that edit deleted it'),
  })
  .readonly()
  .meta({ id: 'FileDiff' });
export type FileDiff = z.infer<typeof FileDiff>;

export const getDiff = defineOperation('GET', '/api/commands/:id/diff', {
  schema: {
    params: CommandParams,
    response: { 200: z.object({ files: z.array(FileDiff).readonly() }) },
  },
});

export const undoCommand = defineOperation('POST', '/api/commands/:id/undo', {
  schema: {
    params: CommandParams,
    body: z.strictObject({
      paths: z.array(z.string().max(4096)).max(10_000).readonly().describe('The paths shown to the person'),
      force: z.boolean().default(false).describe('Overwrite later changes'),
      part: z.boolean().default(false).describe('Only `paths`; its other changes stay'),
      hunk: z
        .string()
        .max(100)
        .optional()
        .describe('Only this hunk of the one path, by its head: `@@ -3,4 +3,6 @@`'),
    }),
    response: { 200: CommandView },
  },
});

const ReviewedChange = z.object({
  command: CommandId,
  hunks: z.array(z.string()).readonly().describe('Heads of its hunks, without undone ones'),
  isPartlyUndone: z.boolean(),
  title: z.string(),
  endedAt: z.number().describe('Epoch milliseconds'),
  added: z.int(),
  removed: z.int(),
  patch: z.string().describe("In git's form, at most 64 KiB"),
  current: z.boolean(),
  byHand: z.boolean(),
  deleted: z.literal(true).optional(),
});

/** One file as one provider changed it, without what was undone. */
const ReviewFileView = z.object({
  path: z.string(),
  added: z.int(),
  removed: z.int(),
  alsoChangedBy: z.array(ProviderId).readonly(),
  isCurrent: z.boolean().describe('Whether the file is still as this provider left it'),
  isByHand: z.boolean().describe('Whether it was edited by hand since'),
  isDeleted: z.literal(true).optional().describe('Whether that edit deleted it'),
  changes: z.array(ReviewedChange).readonly().describe('Oldest first'),
});
export type ReviewFileView = z.infer<typeof ReviewFileView>;

const ReviewCheckView = z.object({
  command: CommandId,
  title: z.string(),
  outcome: z.enum(OUTCOMES),
  exitCode: z.int().nullable(),
  passed: z.boolean(),
  endedAt: z.number().describe('Epoch milliseconds'),
  isOlder: z.boolean().describe('Files were changed after it had started'),
  isByHand: z.boolean().describe('Those were edited by hand, not by a command'),
});
export type ReviewCheckView = z.infer<typeof ReviewCheckView>;

export const ReviewView = z
  .object({
    providers: z
      .array(z.object({ provider: ProviderId, files: z.array(ReviewFileView).readonly() }))
      .readonly(),
    message: z.string().describe('A first line for the commit message'),
    checks: z
      .array(ReviewCheckView)
      .readonly()
      .describe(
        'The last run of tests, linter and `until` lines that read files or run programs, newest first',
      ),
    hidden: z
      .array(
        z.object({
          provider: ProviderId.describe('Who changed the `.gitignore`'),
          by: z.string().describe('That file'),
          fileCount: z.int(),
          paths: z.array(z.string()).readonly().describe('The first 20'),
        }),
      )
      .readonly()
      .describe('Changed files that git ignores since a provider changed a `.gitignore`'),
  })
  .meta({ id: 'Review' });
export type ReviewView = z.infer<typeof ReviewView>;

export const getReview = defineOperation('GET', '/api/review', {
  schema: {
    querystring: z.object({ session: SessionId.optional() }),
    response: { 200: ReviewView },
  },
});

/** Commits as the user, by `git_commit`: judged, leased and recorded like every command. */
export const commitReview = defineOperation('POST', '/api/review/commit', {
  schema: {
    body: z.strictObject({
      paths: z.array(z.string().min(1).max(4096)).min(1).max(1000).readonly().describe('As they are now'),
      message: z.string().trim().min(1).max(65_536),
    }),
    response: { 200: CommandView },
  },
});

const KeptKeys = z.object({ keys: z.array(z.string().min(1).max(10_000)).max(1000).readonly() });

/** Files and hunks that people marked as kept in a review, by the change that they saw. */
export const listKept = defineOperation('GET', '/api/review/kept', {
  schema: {
    response: { 200: KeptKeys },
  },
});

export const keepReviewed = defineOperation('POST', '/api/review/kept', {
  schema: {
    body: z.strictObject(KeptKeys.shape),
    response: { 200: KeptKeys },
  },
});
