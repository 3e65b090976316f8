import { JsonObject } from '@signalbox/core';
import * as z from 'zod';
import { offersOf } from '../mcp/offers-of.ts';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Offer = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    inputSchema: JsonObject.describe('JSON Schema of its arguments'),
    hints: z.strictObject({ readOnly: z.boolean(), destructive: z.boolean(), openWorld: z.boolean() }),
  })
  .meta({ id: 'Tool' });

/** What may be called. */
export function toolRoutes(app: Routes, { coordinator }: RouteParts): void {
  app.get(
    '/api/tools',
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'Tools, with their arguments',
        tags: ['commands'],
        response: { 200: z.strictObject({ tools: z.array(Offer) }), default: Problem },
      },
    },
    async () => ({ tools: [...offersOf(coordinator.tools.list())] }),
  );
}
