import { listTools, type ToolView } from '@signalbox/api';
import type { Mode, ProviderId, Tool } from '@signalbox/core';
import { visitorOfRequest } from '../../access/authenticate.ts';
import { declaredBy } from '../../mcp/declared-by.ts';
import { offersOf } from '../../mcp/offers-of.ts';
import { offersUnlike } from '../../mcp/offers-unlike.ts';
import { ownOnly } from './command-routes.ts';
import type { RouteParts, Routes } from '../route-parts.ts';

/** The tools that may be called. */
export function toolRoutes(app: Routes, parts: RouteParts): void {
  app.get(
    listTools.url,
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'Tools, with their arguments',
        tags: ['commands'],
        description:
          'All registered tools. With `mode`: those that the mode and the settings allow. With `provider`, and always for a provider token: those offered to it, which are declared, and allowed in the present mode or in `mode`.',
        ...listTools.schema,
      },
    },
    async (request) => {
      const { unlike, wait, mode, category } = request.query;
      const provider = ownOnly(visitorOfRequest(request)) ?? request.query.provider;
      const offers = async (): Promise<readonly ToolView[]> => {
        const listed = await toolsFor(provider, mode, parts);
        return offersOf(listed.filter((tool) => category === undefined || tool.category === category));
      };
      if (unlike === undefined) return { tools: await offers() };
      const gone = new AbortController();
      request.raw.on('close', () => gone.abort());
      const ended = AbortSignal.any([gone.signal, parts.closingOf(request)]);
      return { tools: await offersUnlike({ ...parts, offers }, unlike, { ms: wait, signal: ended }) };
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
