import { getDiff, undoCommand } from '@signalbox/api';
import type { CommandId } from '@signalbox/core';
import { submitForPerson } from '@signalbox/coordinator';
import { approverOf } from '../../access/approver-of.ts';
import { RequestRefusedError } from '../../problem.ts';
import type { RouteParts, Routes } from '../route-parts.ts';
import { notKept, unknownCommand } from './unknown-command.ts';

/** Changes of a command, and their undo. */
export function changeRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, services, views, random } = parts;
  app.get(
    getDiff.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'Changes of a command, as unified diffs', tags: ['commands'], ...getDiff.schema },
    },
    async (request) => {
      const { id } = request.params;
      const files = await services.changesOf(id);
      if (files === null) throw await nothingKept(id, `Cannot show what ${id} changed`);
      return { files };
    },
  );

  app.post(
    undoCommand.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Undo the changes of a command, as a separate command',
        description: 'Rejected if one of the files has changed since, unless `force` is set.',
        tags: ['commands'],
        ...undoCommand.schema,
      },
    },
    async (request) => {
      const { paths, force, part, hunk } = request.body;
      const { id } = request.params;
      if ((await services.changesOf(id)) === null) throw await nothingKept(id, `Cannot undo ${id}`);
      const { commandId } = await submitForPerson(coordinator, random, {
        tool: 'undo',
        args: { command: id, paths: [...paths], force, part, ...(hunk === undefined ? {} : { hunk }) },
        by: approverOf(request),
      });
      const record = await coordinator.status(commandId);
      if (record === null) throw unknownCommand(commandId);
      return views.of(record);
    },
  );

  async function nothingKept(id: CommandId, cannot: string): Promise<RequestRefusedError> {
    if ((await coordinator.status(id)) === null) return notKept(parts, id, { own: null });
    return new RequestRefusedError(404, 'nothing-kept', `${cannot}: its changes are not stored`, {
      why: [
        'it changed no files, did not run as a transaction, or its copies were dropped (execution.history_max_age, execution.history_max_mb)',
      ],
    });
  }
}
