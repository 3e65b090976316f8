import type { Clock, CommandId, EventLog, EventType } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import { waitUntil } from './wait-until.ts';

const ENDINGS: ReadonlySet<EventType> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/** Settles when the command is done, after `ms`, or when `signal` aborts; the caller checks which. */
export async function resultWithin(
  parts: {
    readonly coordinator: Pick<Coordinator, 'status'>;
    readonly events: Pick<EventLog, 'subscribe'>;
    readonly clock: Pick<Clock, 'timer'>;
  },
  id: CommandId,
  { ms, signal }: Readonly<{ ms: number; signal: AbortSignal }>,
): Promise<void> {
  const hasHappened = async (): Promise<boolean> => {
    const record = await parts.coordinator.status(id);
    return record === null || record.state === 'done';
  };
  const listen = (onHappened: () => void): (() => void) =>
    parts.events.subscribe((event) => {
      if (ENDINGS.has(event.type) && 'commandId' in event && event.commandId === id) onHappened();
    });
  await waitUntil({ hasHappened, listen }, { clock: parts.clock, ms, signal });
}
