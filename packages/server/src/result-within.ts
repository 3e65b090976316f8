import type { Clock, CommandId, EventLog, EventType } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';

const ENDINGS: ReadonlySet<EventType> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/** Settles when the command is done, after `ms`, or when `signal` aborts; which of them it was is for the caller to see. */
export async function resultWithin(
  parts: {
    readonly coordinator: Pick<Coordinator, 'status'>;
    readonly events: Pick<EventLog, 'subscribe'>;
    readonly clock: Pick<Clock, 'timer'>;
  },
  id: CommandId,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => resolve();
  const unsubscribe = parts.events.subscribe((event) => {
    if (ENDINGS.has(event.type) && 'commandId' in event && event.commandId === id) settle();
  });
  const cancelTimer = parts.clock.timer(ms, settle);
  signal.addEventListener('abort', settle);
  try {
    const record = await parts.coordinator.status(id);
    if (record === null || record.state === 'done' || signal.aborted) settle();
    await promise;
  } finally {
    unsubscribe();
    cancelTimer();
    signal.removeEventListener('abort', settle);
  }
}
