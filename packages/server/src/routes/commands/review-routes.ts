import { commitReview, getReview, keepReviewed, listKept } from '@signalbox/api';
import type { CommandId } from '@signalbox/core';
import { addKeptMarks, keptMarks, loadReview, submitForPerson } from '@signalbox/coordinator';
import { approverOf } from '../../access/approver-of.ts';
import { resultWithin } from '../../result-within.ts';
import type { RouteParts, Routes } from '../route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

const MAX_PATCH = 64 * 1024;
/** For a queued commit; a longer wait is reported. */
const MAX_WAIT_MS = 10_000;

/**
 * Changes that are neither undone nor committed, by provider and file. Files are undone by `/api/commands/{id}/undo`
 * with `part`.
 */
export function reviewRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, facts, random, services, views, closingOf } = parts;

  app.get(
    getReview.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Changed files by provider, to be kept or undone',
        description:
          'Covers the newest 200 commands that changed files, without changes that were undone or committed since, and without files that git ignores. `hidden` names files that it ignores since a provider changed a `.gitignore`.',
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
      const { ignoredByGit, ignoredInHead, committedInGit, editedSince } = services;
      const { list } = coordinator;
      const files = { ignoredByGit, ignoredInHead, committedInGit, editedSince };
      return loadReview({ list, changesOf, ...files }, sessions);
    },
  );

  app.post(
    commitReview.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Commit files, as a separate command',
        description:
          'Runs `git_commit` with these paths as your command. This request also grants the approval that the command needs. Answers when it has ended, or after 10 s with its state.',
        tags: ['commands'],
        ...commitReview.schema,
      },
    },
    async (request) => {
      const { paths, message } = request.body;
      const outcome = await submitForPerson(coordinator, random, {
        tool: 'git_commit',
        args: { message, paths: [...paths] },
        by: approverOf(request),
      });
      const { commandId } = outcome;
      // A second approval may take hours.
      if (outcome.kind === 'waits' && outcome.status === 'queued')
        await resultWithin(parts, commandId, { ms: MAX_WAIT_MS, signal: closingOf(request) });
      const record = await coordinator.status(commandId);
      if (record === null) throw unknownCommand(commandId);
      return views.of(record);
    },
  );

  app.get(
    listKept.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'Files and hunks marked as kept', tags: ['commands'], ...listKept.schema },
    },
    async () => ({ keys: await keptMarks(facts) }),
  );

  app.post(
    keepReviewed.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Mark files and hunks as kept',
        description:
          'The same for every terminal and page; changes no file. The newest 1,000 marks are stored.',
        tags: ['commands'],
        ...keepReviewed.schema,
      },
    },
    async (request) => ({ keys: await addKeptMarks(facts, request.body.keys) }),
  );
}
