import type { ServerResponse } from 'node:http';
import { CommandId } from '@signalbox/core';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem } from '../problem.ts';
import { resultWithin } from '../result-within.ts';
import { CommandView } from '../views/command-view.ts';
import { ownOnly } from './command-routes.ts';
import type { RouteParts, Routes } from './route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

/** Waiting for a command as the one who needs it: nothing is held for who is gone. */
export function attendRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, views, closing, attendance } = parts;

  app.post(
    '/api/commands/:id/attend',
    {
      config: { access: ['operate', 'submit'] },
      schema: {
        summary: 'Wait for a command, which is cancelled if you go away meanwhile',
        description: 'Answers when it is done, or after `wait`. A connection that breaks before cancels it.',
        tags: ['commands'],
        params: z.object({ id: CommandId }),
        body: z.strictObject({ wait: z.int().min(0).max(600_000).describe('In milliseconds') }),
        response: { 200: CommandView, default: Problem },
      },
    },
    async (request, { raw }) => {
      const visitor = visitorOfRequest(request);
      const { id } = request.params;
      const record = await coordinator.status(id);
      const own = ownOnly(visitor);
      if (record === null || (own !== null && record.context.provider !== own)) throw unknownCommand(id);
      attendance.came(id);
      const gone = goneSignal(raw);
      await resultWithin(parts, id, request.body.wait, AbortSignal.any([gone, closing]));
      if (gone.aborted) await coordinator.cancel(id, visitor.name, 'who waited for it has gone');
      return views.of((await coordinator.status(id)) ?? record);
    },
  );
}

/** Aborts when the connection breaks before it was answered. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const look = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.destroyed) look();
  else response.on('close', look);
  return gone.signal;
}
