import { RevisionError } from '../../errors/errors.ts';
import type { RunId } from '../../id.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { RunStore, StoredRun } from '../../ports/run-store.ts';

/** Runs in memory, for tests; their events go to that log. */
export function createMemoryRunStore(events: Pick<EventLog, 'append'>): RunStore {
  const runs = new Map<RunId, StoredRun>();

  return {
    async commit({ id, owner, kind, parts }, newEvents) {
      const before = runs.get(id);
      const fits = kind === 'begun' ? before === undefined : before?.owner === owner;
      if (!fits) throw new RevisionError(`Cannot store run "${id}": another coordinator leads it`);
      if (kind === 'over') runs.delete(id);
      else runs.set(id, structuredClone({ id, owner, parts: { ...before?.parts, ...parts } }));
      return events.append(newEvents);
    },
    unfinished: async () => [...runs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    async take(id, { from, to }) {
      const run = runs.get(id);
      if (run === undefined || run.owner !== from) return false;
      runs.set(id, { ...run, owner: to });
      return true;
    },
  };
}
