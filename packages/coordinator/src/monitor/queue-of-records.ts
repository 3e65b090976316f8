import {
  claimsConflict,
  type CommandId,
  type CommandRecord,
  type CommandStore,
  type Facts,
  type SchedulerSnapshot,
  type WaitingEntry,
} from '@signalbox/core';
import { readStuckCommands } from './stuck-commands.ts';

/** The same number as in the scheduler. */
const MAX_BLOCKERS = 20;

/** {@link queueOfRecords} for the currently stored records, with the first `max` waiting commands. */
export async function readQueue(
  { store, facts }: { readonly store: CommandStore; readonly facts: Facts },
  max?: number,
): Promise<SchedulerSnapshot> {
  const reported = await readStuckCommands(facts);
  const stuck = await Promise.all(reported.map(({ command }) => store.get(command)));
  const [running, waiting] = await Promise.all([
    store.unfinished({ states: ['running'] }),
    store.unfinished({ states: ['queued'], ...(max === undefined ? {} : { limit: max }) }),
  ]);
  return queueOfRecords(
    [...running, ...waiting],
    stuck.filter((record) => record !== null),
  );
}

/**
 * Leases and waiting commands with their blockers, derived from stored commands: for processes without access to the
 * coordinator's own scheduler.
 *
 * @param stuck Commands that are done but keep their claims because their changes are partly applied.
 */
export function queueOfRecords(
  unfinished: readonly CommandRecord[],
  stuck: readonly CommandRecord[] = [],
): SchedulerSnapshot {
  const holds = new Set(stuck.map(({ id }) => id));
  const entered = [...stuck, ...unfinished]
    .filter(({ state, id }) => state === 'running' || state === 'queued' || holds.has(id))
    .toSorted((a, b) => (a.queuedAt ?? 0) - (b.queuedAt ?? 0));
  return {
    leases: entered
      .flatMap(({ state, lease }) => (state !== 'queued' && lease !== null ? [lease] : []))
      .toSorted((a, b) => a.fencingToken - b.fencingToken),
    waiting: entered.flatMap((record, position) =>
      record.state === 'queued' ? [waitingEntry(record, entered.slice(0, position))] : [],
    ),
  };
}

function waitingEntry(record: CommandRecord, before: readonly CommandRecord[]): WaitingEntry {
  const blockers: CommandId[] = [];
  for (const { id, claims } of before) {
    if (blockers.length === MAX_BLOCKERS) break;
    if (claimsConflict(claims, record.claims)) blockers.push(id);
  }
  return {
    commandId: record.id,
    provider: record.context.provider,
    claims: record.claims,
    priority: record.context.priority,
    since: record.queuedAt ?? record.submittedAt,
    blockers,
  };
}
