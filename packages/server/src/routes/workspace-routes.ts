import { getWorkspace } from '@signalbox/api';
import type { RouteParts, Routes } from './route-parts.ts';

/** Facts about the directory tree itself: commands and people change it without an event of ours. */
export function workspaceRoutes(app: Routes, { workspace, services, redactor }: RouteParts): void {
  app.get(
    getWorkspace.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'The workspace, and its branch', tags: ['workspace'], ...getWorkspace.schema },
    },
    async () => {
      const head = await services.gitHead();
      const shown = head?.kind === 'branch' ? { kind: head.kind, name: redactor.redact(head.name) } : head;
      return { name: workspace, head: shown };
    },
  );
}
