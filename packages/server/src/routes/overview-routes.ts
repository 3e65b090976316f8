import { getQueue, getSnapshot, getStats, listProviders, MAX_WAITING, RECENT_COMMANDS } from '@signalbox/api';
import { CommandState } from '@signalbox/core';
import { readStuckCommands, sessionStatsOf } from '@signalbox/coordinator';
import { visitorOfRequest } from '../access/authenticate.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const UNFINISHED = CommandState.options.filter((state) => state !== 'done');

/** The snapshot of the workspace that a screen starts from. */
export function overviewRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, store, events, views, services, clock } = parts;

  async function queueNow(max: number) {
    const [{ waiting, leases }, all] = await Promise.all([coordinator.queue(max), store.countUnfinished()]);
    return {
      waiting,
      leases,
      counts: all,
    };
  }

  app.get(
    getSnapshot.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Snapshot of the workspace, for a live screen to start from',
        tags: ['workspace'],
        ...getSnapshot.schema,
      },
    },
    async (request) => {
      // Read first: events during the rest of the read are sent again, and none is missed.
      const lastEventId = await events.lastId();
      const [mode, queue, unfinished, recent, isolation] = await Promise.all([
        coordinator.mode(),
        queueNow(MAX_WAITING),
        Promise.all(UNFINISHED.map((state) => store.unfinished({ states: [state], limit: MAX_WAITING }))),
        store.list({ limit: RECENT_COMMANDS }),
        services.isolation(),
      ]);
      const byId = new Map([...recent, ...unfinished.flat()].map((record) => [record.id, record]));
      const { name, role } = visitorOfRequest(request);
      return {
        workspace: parts.workspace,
        version: parts.version,
        now: clock.now(),
        lastEventId,
        you: { name, role },
        mode,
        isolation: isolation?.layer ?? 'none',
        commands: [...byId.values()].toSorted((a, b) => b.submittedAt - a.submittedAt).map(views.short),
        queue,
        limits: limitsForPeople(parts.limits),
        sessions: parts.sessions.list(),
        providers: services.providers(),
        tests: services.tests,
      };
    },
  );

  app.get(
    getQueue.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Waiting commands, and what they wait for',
        tags: ['workspace'],
        ...getQueue.schema,
      },
    },
    async (request) => {
      const [queue, stuck] = await Promise.all([
        queueNow(request.query.limit),
        readStuckCommands(parts.facts),
      ]);
      return { ...queue, stuck };
    },
  );

  app.get(
    getStats.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Numbers by provider, and outcomes of approvals, over the stored history',
        tags: ['workspace'],
        ...getStats.schema,
      },
    },
    async (request) => {
      const { since } = request.query;
      const { monitor } = coordinator;
      return {
        providers: await monitor.stats(since),
        ...(await monitor.answers(since)),
        ...(await sessionStatsOf(events, since)),
      };
    },
  );

  app.get(
    listProviders.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'Providers of the settings', tags: ['workspace'], ...listProviders.schema },
    },
    async () => ({ providers: services.providers() }),
  );
}

function limitsForPeople({ maxConcurrent, maxWaitMs, leaseTtlMs }: RouteParts['limits']) {
  return { maxConcurrent, maxWaitMs, leaseTtlMs };
}
