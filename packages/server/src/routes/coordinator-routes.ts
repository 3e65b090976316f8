import { getActors, getCoordinator, stopCoordinator } from '@signalbox/api';
import { visitorOfRequest } from '../access/authenticate.ts';
import type { Activity } from '../watch-requests.ts';
import { helloOf } from './hello-routes.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** The coordinator process: who it is, and how to end it. */
export function coordinatorRoutes(
  app: Routes,
  parts: RouteParts & { readonly activity: () => Activity },
): void {
  const { coordinator, store, lifecycle, activity } = parts;

  async function atWork() {
    const counts = await store.countUnfinished();
    return {
      clients: activity().open - 1,
      runs: lifecycle.runs(),
      commands: counts.reduce((sum, { commands }) => sum + commands, 0),
    };
  }

  app.get(
    getCoordinator.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'The process that leads the workspace: its start, its owner, its planned end',
        tags: ['workspace'],
        ...getCoordinator.schema,
      },
    },
    async () => ({
      ...helloOf(parts),
      ...(await atWork()),
      idleExitMs: lifecycle.idleExitMs,
      ports: [...lifecycle.ports()],
      fixedPorts: [...lifecycle.fixedPorts()],
      stopping: coordinator.isEnding(),
    }),
  );

  app.get(
    getActors.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'The coordinator’s actors and their present states',
        tags: ['workspace'],
        ...getActors.schema,
      },
    },
    () => coordinator.actors(),
  );

  app.post(
    stopCoordinator.url,
    {
      config: { access: ['operate'], worksAway: true },
      schema: {
        summary: 'Stop the coordinator: now, when running work has ended, or only if it is idle',
        tags: ['workspace'],
        ...stopCoordinator.schema,
      },
    },
    async (request) => {
      const { when } = request.body;
      const now = await atWork();
      const isIdle = now.runs === 0 && now.commands === 0;
      if (when === 'idle' && !(isIdle && now.clients === 0)) return { kind: 'busy' as const, ...now };
      parts.logger.info({ when, by: visitorOfRequest(request).name }, 'asked to stop');
      coordinator.drain();
      const kind = when === 'now' || isIdle ? ('stopping' as const) : ('draining' as const);
      lifecycle.stop(kind === 'stopping' ? 'now' : 'drained');
      return { kind, ...now };
    },
  );
}
