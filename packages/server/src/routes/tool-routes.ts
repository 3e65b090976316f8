import { JsonObject } from '@signalbox/core';
import * as z from 'zod';
import { offersOf } from '../mcp/offers-of.ts';
import { offersUnlike } from '../mcp/offers-unlike.ts';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Offer = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    inputSchema: JsonObject.describe('JSON Schema of its arguments'),
    title: z.string().describe('For people'),
    isBuiltIn: z.boolean().describe('False for a tool of another MCP server'),
    hints: z.strictObject({
      readOnly: z.boolean(),
      destructive: z.boolean(),
      idempotent: z.boolean(),
      openWorld: z.boolean(),
    }),
  })
  .meta({ id: 'Tool' });

/** What may be called. */
export function toolRoutes(app: Routes, parts: RouteParts): void {
  app.get(
    '/api/tools',
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'Tools, with their arguments',
        tags: ['commands'],
        querystring: z.object({
          unlike: z
            .string()
            .max(64)
            .optional()
            .describe('Stamp of what is known: answer when it is another list, or after `wait`'),
          wait: z.coerce.number().int().min(0).max(60_000).default(0).describe('In milliseconds'),
        }),
        response: { 200: z.strictObject({ tools: z.array(Offer) }), default: Problem },
      },
    },
    async (request) => {
      const { unlike, wait } = request.query;
      if (unlike === undefined) return { tools: [...offersOf(parts.coordinator.tools.list())] };
      const gone = new AbortController();
      request.raw.on('close', () => gone.abort());
      const over = AbortSignal.any([gone.signal, parts.closing]);
      return { tools: [...(await offersUnlike(parts, unlike, wait, over))] };
    },
  );
}
