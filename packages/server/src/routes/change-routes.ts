import { CommandId, createId } from '@signalbox/core';
import { submitUndo } from '@signalbox/coordinator';
import * as z from 'zod';
import { approverOf } from '../access/approver-of.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import { CommandView } from '../views/command-view.ts';
import type { RouteParts, Routes } from './route-parts.ts';
import { notKept, unknownCommand } from './unknown-command.ts';

const Id = z.object({ id: CommandId });

const FileDiff = z
  .strictObject({
    path: z.string(),
    added: z.int(),
    removed: z.int(),
    patch: z.string().describe("In git's form"),
    current: z.boolean().describe('Whether what the command left stands there still'),
  })
  .meta({ id: 'FileDiff' });

/** What a command changed, and taking it back. */
export function changeRoutes(app: Routes, { coordinator, services, views, random }: RouteParts): void {
  app.get(
    '/api/commands/:id/diff',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'What a command changed, as unified diffs',
        tags: ['commands'],
        params: Id,
        response: { 200: z.strictObject({ files: z.array(FileDiff) }), default: Problem },
      },
    },
    async (request) => {
      const { id } = request.params;
      const files = await services.changesOf(id);
      if (files === null) throw await nothingKept(id, `Cannot show what ${id} changed`);
      return { files: [...files] };
    },
  );

  app.post(
    '/api/commands/:id/undo',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Take back what a command changed, by a command of its own',
        description:
          'Refused when somebody has changed one of the files since, unless `force` says otherwise.',
        tags: ['commands'],
        params: Id,
        body: z.strictObject({
          paths: z.array(z.string().max(4096)).max(10_000).describe('What the person was shown'),
          force: z.boolean().default(false).describe('Overwrite later changes'),
          part: z.boolean().default(false).describe('Only `paths`; its other changes stay'),
          hunk: z
            .string()
            .max(100)
            .optional()
            .describe('Of the one path this hunk alone, by its head: `@@ -3,4 +3,6 @@`'),
        }),
        response: { 200: CommandView, default: Problem },
      },
    },
    async (request) => {
      const { paths, force, part, hunk } = request.body;
      const { id } = request.params;
      if ((await services.changesOf(id)) === null) throw await nothingKept(id, `Cannot undo ${id}`);
      const { commandId } = await submitUndo(coordinator, {
        command: id,
        paths,
        force,
        part,
        hunk,
        by: approverOf(request),
        sessionId: createId('session', random),
      });
      const record = await coordinator.status(commandId);
      if (record === null) throw unknownCommand(commandId);
      return views.of(record);
    },
  );

  async function nothingKept(id: CommandId, cannot: string): Promise<RequestRefusedError> {
    if ((await coordinator.status(id)) === null) return notKept(coordinator, id, null);
    return new RequestRefusedError(404, 'nothing-kept', `${cannot}: nothing is kept of it`, {
      why: [
        'it changed no files, did not run as a transaction, or its copies were dropped (execution.history_max_age, execution.history_max_mb)',
      ],
    });
  }
}
