import * as z from 'zod';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Head = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('branch'), name: z.string() }),
    z.strictObject({ kind: z.literal('commit'), id: z.string() }),
  ])
  .meta({ id: 'GitHead' });

const Workspace = z
  .strictObject({
    name: z.string(),
    head: Head.nullable().describe('Where it stands in git, as of now; null outside of git'),
  })
  .meta({ id: 'Workspace' });

/** What is true of the directory tree itself: commands and people change it without an event of ours. */
export function workspaceRoutes(app: Routes, { workspace, services, redactor }: RouteParts): void {
  app.get(
    '/api/workspace',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'The workspace, and its branch',
        tags: ['house'],
        response: { 200: Workspace, default: Problem },
      },
    },
    async () => {
      const head = await services.gitHead();
      const shown = head?.kind === 'branch' ? { kind: head.kind, name: redactor.redact(head.name) } : head;
      return { name: workspace, head: shown };
    },
  );
}
