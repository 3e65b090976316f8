import { clearResultCache, getResultCache } from '@signalbox/api';
import type { RouteParts, Routes } from './route-parts.ts';

/** Results that are kept to be used again: their number, and forgetting them. */
export function resultCacheRoutes(app: Routes, { coordinator }: RouteParts): void {
  app.get(
    getResultCache.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Results that are kept to be used again',
        tags: ['commands'],
        ...getResultCache.schema,
      },
    },
    () => coordinator.resultCache.state(),
  );

  app.delete(
    clearResultCache.url,
    {
      config: { access: ['operate'] },
      schema: { summary: 'Forget all kept results', tags: ['commands'], ...clearResultCache.schema },
    },
    () => {
      const before = coordinator.resultCache.state();
      coordinator.resultCache.clear();
      return before;
    },
  );
}
