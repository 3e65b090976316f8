import { getHello, PROTOCOL } from '@signalbox/api';
import type { RouteParts, Routes } from './route-parts.ts';

export function helloRoutes(app: Routes, { hello, version }: RouteParts): void {
  app.get(
    getHello.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Which coordinator this is, and whether a client understands it',
        tags: ['house'],
        ...getHello.schema,
      },
    },
    async () => ({ ...hello, version, protocol: PROTOCOL }),
  );
}
