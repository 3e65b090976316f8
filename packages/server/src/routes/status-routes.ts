import { getStatus, type StatusView } from '@signalbox/api';
import type { RouteParts, Routes } from './route-parts.ts';

/** Current activity in numbers: what `signalbox status` shows. */
export function statusRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, store, services, lastKnown } = parts;

  app.get(
    getStatus.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'Current activity in numbers', tags: ['workspace'], ...getStatus.schema },
    },
    async () => {
      const isAway = lastKnown != null && lastKnown.away() !== null;
      const [mode, unfinished, ended, members, toolFilter] = await Promise.all([
        coordinator.mode(),
        store.countUnfinished(),
        isAway ? endedAsKnown() : endedOverAll(),
        isAway ? null : services.members(),
        isAway ? null : coordinator.offers.filter(),
      ]);
      const having = (...states: readonly string[]): number =>
        sum(unfinished.filter(({ state }) => states.includes(state)));
      const { pid, since: startedAt, host, subcommand } = parts.hello;
      return {
        workspace: parts.workspace,
        mode,
        coordinator: { pid, host, subcommand, startedAt },
        counts: {
          running: having('running'),
          waiting: having('queued', 'approved'),
          approvals: having('awaiting_approval'),
          ...ended,
        },
        maxConcurrent: parts.limits.maxConcurrent,
        toolFilter,
        judge: services.judge(),
        budgetUsd: services.budgetUsd(),
        members,
      };
    },
  );

  type Ended = Pick<StatusView['counts'], 'done' | 'failed' | 'lost' | 'denied' | 'stale'>;

  async function endedOverAll(): Promise<Ended> {
    const totals = await store.totals();
    const having = (...outcomes: readonly string[]): number =>
      sum(totals.filter(({ outcome }) => outcomes.includes(outcome)));
    return {
      done: having('completed'),
      failed: having('failed', 'timed_out'),
      lost: having('lost'),
      denied: having('denied', 'blocked'),
      stale: having('conflict'),
    };
  }

  /** While the backend is away: of the latest few hundred commands. */
  async function endedAsKnown(): Promise<Ended> {
    const providers = await coordinator.monitor.stats();
    const all = (key: 'completed' | 'failed' | 'denied'): number =>
      providers.reduce((max, row) => max + row[key], 0);
    return { done: all('completed'), failed: all('failed'), denied: all('denied'), stale: 0 };
  }
}

function sum(rows: readonly Readonly<{ commands: number }>[]): number {
  return rows.reduce((all, { commands }) => all + commands, 0);
}
