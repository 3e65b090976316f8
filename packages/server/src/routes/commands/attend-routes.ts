import { attendCommand } from '@signalbox/api';
import type { ServerResponse } from 'node:http';
import { visitorOfRequest } from '../../access/authenticate.ts';
import { resultWithin } from '../../result-within.ts';
import { ownOnly } from './command-routes.ts';
import type { RouteParts, Routes } from '../route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

/** Waits for a command on behalf of its sender: when the sender leaves, nothing stays held. */
export function attendRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, views, closingOf, clientPresence } = parts;

  app.post(
    attendCommand.url,
    {
      config: { access: ['operate', 'submit'] },
      schema: {
        summary: 'Wait for a command, which is cancelled if you disconnect meanwhile',
        description:
          'Answers when it is done, or after `wait`. A connection that breaks before that cancels it.',
        tags: ['commands'],
        ...attendCommand.schema,
      },
    },
    async (request, { raw }) => {
      const visitor = visitorOfRequest(request);
      const { id } = request.params;
      const record = await coordinator.status(id);
      const own = ownOnly(visitor);
      if (record === null || (own !== null && record.context.provider !== own)) throw unknownCommand(id);
      clientPresence.arrived(id);
      const gone = goneSignal(raw);
      await resultWithin(parts, id, {
        ms: request.body.wait,
        signal: AbortSignal.any([gone, closingOf(request)]),
      });
      if (gone.aborted)
        await coordinator.cancel(id, { by: visitor.name, reason: 'the waiting client disconnected' });
      return views.of((await coordinator.status(id)) ?? record);
    },
  );
}

/** Aborts when the connection breaks before it was answered. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const check = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.destroyed) check();
  else response.on('close', check);
  return gone.signal;
}
