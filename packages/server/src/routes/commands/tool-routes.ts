import { listTools, type ToolQuery, type ToolView } from '@signalbox/api';
import type { Tool } from '@signalbox/core';
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
          'All registered tools. With `mode` or `phase`: those that it and the settings allow. With `provider`, and always for a provider token: those offered to it, which are declared, and allowed in the present mode or in `mode`; with `session` also none that requires another one first.',
        ...listTools.schema,
      },
    },
    async (request) => {
      const { unlike, wait, category, ...query } = request.query;
      const provider = ownOnly(visitorOfRequest(request)) ?? query.provider;
      const offers = async (): Promise<readonly ToolView[]> => {
        const listed = await toolsFor({ ...query, provider }, parts);
        return offersOf(listed.filter((tool) => category === undefined || tool.category === category));
      };
      if (unlike === undefined) return { tools: await offers() };
      const gone = new AbortController();
      request.raw.on('close', () => gone.abort());
      const ended = AbortSignal.any([gone.signal, parts.closingOf(request)]);
      const following = { ...parts, offers, sessionId: query.session };
      return { tools: await offersUnlike(following, unlike, { ms: wait, signal: ended }) };
    },
  );
}

async function toolsFor(
  { provider, mode, phase, session: sessionId }: Pick<ToolQuery, 'provider' | 'mode' | 'phase' | 'session'>,
  { coordinator, services }: Pick<RouteParts, 'coordinator' | 'services'>,
): Promise<readonly Tool[]> {
  const all = coordinator.tools.list();
  if (provider === undefined && mode === undefined && phase === undefined) return all;
  const declared = provider === undefined ? all.map(({ name }) => name) : declaredBy(provider, services);
  const session = provider === undefined || sessionId === undefined ? undefined : { provider, sessionId };
  const { offered } = await coordinator.offers.of({
    session,
    declared,
    mode,
    phase,
    caller: 'agent',
    task: '',
  });
  return offered.map(({ tool }) => tool);
}
