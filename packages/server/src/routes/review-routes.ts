import { getReview } from '@signalbox/api';
import type { CommandId } from '@signalbox/core';
import { loadReview } from '@signalbox/coordinator';
import type { RouteParts, Routes } from './route-parts.ts';

const MAX_PATCH = 64 * 1024;

/** What was changed and not undone, by provider and file. Files are undone by `/api/commands/{id}/undo` with `part`. */
export function reviewRoutes(app: Routes, { coordinator, services }: RouteParts): void {
  app.get(
    getReview.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Changed files by provider, to be kept or undone',
        description:
          'Of the newest 200 commands that changed files. What was undone is left out, and so is what git ignores.',
        tags: ['commands'],
        ...getReview.schema,
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
