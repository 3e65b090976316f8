import { claimsConflict, type CommandRecord, type SchedulerSnapshot } from '@signalbox/core';

/** As many as a scheduler names. */
const MAX_BLOCKERS = 20;

/**
 * Who holds what and who waits for whom, as the stored commands tell it: for processes that can't ask the
 * coordinator's own scheduler.
 */
export function queueOfRecords(unfinished: readonly CommandRecord[]): SchedulerSnapshot {
  const entered = unfinished
    .filter(({ state }) => state === 'running' || state === 'queued')
    .toSorted((a, b) => (a.queuedAt ?? 0) - (b.queuedAt ?? 0));
  return {
    leases: entered
      .flatMap(({ state, lease }) => (state === 'running' && lease !== null ? [lease] : []))
      .toSorted((a, b) => a.fencingToken - b.fencingToken),
    waiting: entered
      .filter(({ state }) => state === 'queued')
      .map((record) => ({
        commandId: record.id,
        provider: record.context.provider,
        claims: record.claims,
        priority: record.context.priority,
        since: record.queuedAt ?? record.submittedAt,
        blockers: entered
          .slice(0, entered.indexOf(record))
          .filter(({ claims }) => claimsConflict(claims, record.claims))
          .slice(0, MAX_BLOCKERS)
          .map(({ id }) => id),
      })),
  };
}
