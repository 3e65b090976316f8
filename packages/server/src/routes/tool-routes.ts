import { JsonObject, Mode, ProviderId, type Tool, ToolCategory } from '@signalbox/core';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { declaredBy } from '../mcp/declared-by.ts';
import { offersOf } from '../mcp/offers-of.ts';
import { offersUnlike } from '../mcp/offers-unlike.ts';
import { Problem } from '../problem.ts';
import { ownOnly } from './command-routes.ts';
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
        description:
          'All registered ones; with `mode`, those that it and the settings allow; with `provider`, and for a token of a provider always, those that it is offered: declared, and allowed in the mode of now or in `mode`.',
        querystring: z.strictObject({
          provider: ProviderId.optional().describe('Only what this provider is offered'),
          mode: Mode.optional().describe('Only what may be offered in this mode'),
          category: ToolCategory.optional(),
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
      const { unlike, wait, mode, category } = request.query;
      const provider = ownOnly(visitorOfRequest(request)) ?? request.query.provider;
      const offers = async (): Promise<z.infer<typeof Offer>[]> => {
        const listed = await toolsFor(provider, mode, parts);
        return [...offersOf(listed.filter((tool) => category === undefined || tool.category === category))];
      };
      if (unlike === undefined) return { tools: await offers() };
      const gone = new AbortController();
      request.raw.on('close', () => gone.abort());
      const over = AbortSignal.any([gone.signal, parts.closing]);
      return { tools: [...(await offersUnlike({ ...parts, offers }, unlike, wait, over))] };
    },
  );
}

async function toolsFor(
  provider: ProviderId | undefined,
  mode: Mode | undefined,
  { coordinator, services }: Pick<RouteParts, 'coordinator' | 'services'>,
): Promise<readonly Tool[]> {
  if (provider !== undefined) return coordinator.offers(declaredBy(provider, services), mode);
  const all = coordinator.tools.list();
  if (mode === undefined) return all;
  const names = all.map(({ name }) => name);
  return coordinator.offers(names, mode);
}
