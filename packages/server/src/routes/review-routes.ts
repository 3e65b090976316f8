import { CommandId, ProviderId, SessionId } from '@signalbox/core';
import { reviewOf } from '@signalbox/coordinator';
import * as z from 'zod';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** Commands that changed files, the newest; older ones are left to the history. */
const MAX_COMMANDS = 200;
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
        description: 'Of the newest 200 commands that changed files. What was undone is left out.',
        tags: ['commands'],
        querystring: z.object({ session: SessionId.optional() }),
        response: { 200: Review, default: Problem },
      },
    },
    async (request) => {
      const { session } = request.query;
      const all = await coordinator.list({ limit: 1000 });
      const own = all.filter(
        ({ context, result }) =>
          (session === undefined || context.sessionId === session) &&
          result?.files.some(({ kind }) => kind !== 'read') === true,
      );
      const changed = [];
      for (const record of own.slice(0, MAX_COMMANDS)) {
        const changes = await services.changesOf(record.id);
        if (changes === null) continue;
        const cut = changes.map((change) => ({
          ...change,
          patch: change.patch.slice(0, MAX_PATCH).toWellFormed(),
        }));
        changed.push({ record, changes: cut });
      }
      return reviewOf(all, changed);
    },
  );
}
