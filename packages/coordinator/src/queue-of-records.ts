import { claimsConflict, type CommandRecord, type SchedulerSnapshot } from '@signalbox/core';

/**
 * Who holds what and who waits for whom, as the stored commands tell it: for processes that can't ask the
 * coordinator's own scheduler. `unfinished` in the order they were submitted.
 */
export function queueOfRecords(unfinished: readonly CommandRecord[]): SchedulerSnapshot {
  const holding = unfinished.filter(({ state }) => state === 'running');
  const queued = unfinished
    .filter(({ state }) => state === 'queued')
    .toSorted((a, b) => (a.queuedAt ?? 0) - (b.queuedAt ?? 0));
  const before = (record: CommandRecord): readonly CommandRecord[] => [
    ...holding,
    ...queued.slice(0, queued.indexOf(record)),
  ];
  return {
    leases: holding.flatMap(({ lease }) => (lease === null ? [] : [lease])),
    waiting: queued.map((record) => ({
      commandId: record.id,
      provider: record.context.provider,
      claims: record.claims,
      priority: record.context.priority,
      since: record.queuedAt ?? record.submittedAt,
      blockers: before(record)
        .filter(({ claims }) => claimsConflict(claims, record.claims))
        .map(({ id }) => id),
    })),
  };
}
