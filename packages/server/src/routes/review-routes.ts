import { CommandId, ProviderId, SessionId } from '@signalbox/core';
import { loadReview } from '@signalbox/coordinator';
import * as z from 'zod';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const MAX_PATCH = 64 * 1024;

const Review = z
  .strictObject({
    providers: z
      .array(
        z.strictObject({
          provider: ProviderId,
          files: z
            .array(
              z.strictObject({
                path: z.string(),
                added: z.int(),
                removed: z.int(),
                alsoChangedBy: z.array(ProviderId).readonly(),
                isCurrent: z.boolean().describe('Whether the file is still as this provider left it'),
                changes: z
                  .array(
                    z.strictObject({
                      command: CommandId,
                      hunks: z
                        .array(z.string())
                        .readonly()
                        .describe('Heads of its hunks; those undone are left out'),
                      isPartlyUndone: z.boolean(),
                      title: z.string(),
                      endedAt: z.number().describe('Epoch milliseconds'),
                      added: z.int(),
                      removed: z.int(),
                      patch: z.string().describe("In git's form, at most 64 KiB"),
                      current: z.boolean(),
                    }),
                  )
                  .readonly()
                  .describe('Oldest first'),
              }),
            )
            .readonly(),
        }),
      )
      .readonly(),
    message: z.string().describe('A first line for the commit message'),
  })
  .meta({ id: 'Review' });

/** What was changed and not undone, by provider and file. Files are undone by `/api/commands/{id}/undo` with `part`. */
export function reviewRoutes(app: Routes, { coordinator, services }: RouteParts): void {
  app.get(
    '/api/review',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Changed files by provider, to be kept or undone',
        description:
          'Of the newest 200 commands that changed files. What was undone is left out, and so is what git ignores.',
        tags: ['commands'],
        querystring: z.object({ session: SessionId.optional() }),
        response: { 200: Review, default: Problem },
      },
    },
    async (request) => {
      const { session } = request.query;
      const changesOf = async (id: CommandId) =>
        (await services.changesOf(id))?.map((change) => ({
          ...change,
          patch: change.patch.slice(0, MAX_PATCH).toWellFormed(),
        })) ?? null;
      const sessions = new Set(session === undefined ? [] : [session]);
      return loadReview({ list: coordinator.list, changesOf, ignoredByGit: services.ignoredByGit }, sessions);
    },
  );
}
