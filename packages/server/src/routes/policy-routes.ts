import { Mode, ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** What would happen to a line, and reading the settings again. */
export function policyRoutes(app: Routes, { coordinator, services }: RouteParts): void {
  app.post(
    '/api/policy/explain',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'What would happen to a shell line; runs nothing',
        tags: ['policy'],
        body: z.strictObject({
          line: z.string().min(1).max(65_536),
          cwd: z.string().max(4096).default('.'),
          provider: ProviderId.optional().describe('As if this provider asked; default: you'),
          mode: Mode.optional().describe('As if this mode were set; default: the mode now'),
        }),
        response: { 200: z.unknown(), default: Problem },
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
    '/api/policy/reload',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Read the settings again',
        description: 'A file that is not valid is refused with line and column; the policy of before stays.',
        tags: ['policy'],
        body: z.strictObject({}).nullish(),
        response: { 200: z.strictObject({ changed: z.boolean() }), default: Problem },
      },
    },
    async () => ({ changed: await services.reloadPolicy() }),
  );
}
