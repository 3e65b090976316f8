import { explainLine, reloadPolicy } from '@signalbox/api';
import { ProviderId } from '@signalbox/core';
import type { RouteParts, Routes } from './route-parts.ts';

/** Checks a line against the policy, and reloads the settings. */
export function policyRoutes(app: Routes, { coordinator, services }: RouteParts): void {
  app.post(
    explainLine.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'How the policy rules on a shell line; runs nothing',
        tags: ['policy'],
        ...explainLine.schema,
      },
    },
    async (request) => {
      const { line, cwd, provider, mode } = request.body;
      return services.explain({
        line,
        cwd,
        provider: provider ?? ProviderId.parse('you'),
        mode: mode ?? (await coordinator.mode()).mode,
      });
    },
  );

  app.post(
    reloadPolicy.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Reload the settings',
        description: 'An invalid file is rejected with line and column; the previous policy stays active.',
        tags: ['policy'],
        ...reloadPolicy.schema,
      },
    },
    async () => ({ changed: await services.reloadPolicy() }),
  );
}
