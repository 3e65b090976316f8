import { type StuckCommand, readStuckCommands } from '@signalbox/coordinator';
import type { CommandId, CommandRecord, SchedulerSnapshot } from '@signalbox/core';
import type { Records } from '../house.ts';

/** Who holds what and who waits, with the commands that it names. */
export type QueueRead = Readonly<{
  snapshot: SchedulerSnapshot;
  /** Whose files stand half-way. */
  stuck: readonly StuckCommand[];
  /** Of all that the snapshot names, as far as they are kept. */
  commands: ReadonlyMap<CommandId, CommandRecord>;
}>;

export async function readQueueOf(records: Pick<Records, 'queue' | 'facts' | 'store'>): Promise<QueueRead> {
  const snapshot = await records.queue();
  const stuck = await readStuckCommands(records.facts);
  const ids = [
    ...snapshot.waiting.flatMap(({ commandId, blockers }) => [commandId, ...blockers]),
    ...snapshot.leases.map(({ commandId }) => commandId),
  ];
  const found = await Promise.all([...new Set(ids)].map((id) => records.store.get(id)));
  const known = found.flatMap((record) => (record === null ? [] : [[record.id, record] as const]));
  return { snapshot, stuck, commands: new Map(known) };
}
