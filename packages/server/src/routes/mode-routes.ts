import { getMode, setMode } from '@signalbox/api';
import { visitorOfRequest } from '../access/authenticate.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** The operational mode: read and set. */
export function modeRoutes(app: Routes, { coordinator }: RouteParts): void {
  app.get(
    getMode.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'The operational mode', tags: ['policy'], ...getMode.schema },
    },
    () => coordinator.mode(),
  );

  app.put(
    setMode.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Set the operational mode, permanently or for a limited time',
        tags: ['policy'],
        ...setMode.schema,
      },
    },
    (request) => {
      const { mode, reason, forMs } = request.body;
      return coordinator.setMode(mode, { by: visitorOfRequest(request).name, reason, forMs });
    },
  );
}
