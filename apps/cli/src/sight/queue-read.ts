import type { CommandId, CommandRecord, SchedulerSnapshot, StuckCommand } from '@signalbox/core';
import type { QueueRead } from './sight.ts';

/** Every command that it names, once. */
export function namedIn({ waiting, leases }: SchedulerSnapshot): readonly CommandId[] {
  return [
    ...new Set([
      ...waiting.flatMap(({ commandId, blockers }) => [commandId, ...blockers]),
      ...leases.map(({ commandId }) => commandId),
    ]),
  ];
}

export function withCommands(
  snapshot: SchedulerSnapshot,
  counts: QueueRead['counts'],
  stuck: readonly StuckCommand[],
  found: readonly (CommandRecord | null)[],
): QueueRead {
  const known = found.flatMap((record) => (record === null ? [] : [[record.id, record] as const]));
  return { snapshot, counts, stuck, commands: new Map(known) };
}
