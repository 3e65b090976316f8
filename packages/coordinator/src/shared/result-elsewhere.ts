import {
  type Clock,
  type CommandId,
  type CommandResult,
  type CommandStore,
  type EventLog,
  type EventType,
  UnavailableError,
} from '@signalbox/core';

const AGAIN_AFTER_MS = 250;

const ENDINGS: ReadonlySet<EventType> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/**
 * The result of a command that another coordinator leads now, once it is done and the store can be reached; null if the
 * store no longer has it.
 */
export async function resultElsewhere(
  parts: {
    readonly store: Pick<CommandStore, 'get'>;
    readonly events: Pick<EventLog, 'subscribe'>;
    readonly clock: Clock;
    /** Aborted to end every wait. */
    readonly signal: AbortSignal;
  },
  id: CommandId,
): Promise<CommandResult | null> {
  const { store, events, clock, signal } = parts;
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult | null>();
  let cancel: () => void = () => undefined;
  async function poll(): Promise<void> {
    cancel();
    try {
      const record = await store.get(id);
      if (record === null || record.result !== null) resolve(record?.result ?? null);
    } catch (error) {
      if (!(error instanceof UnavailableError) || signal.aborted) return reject(error);
      cancel = clock.timer(AGAIN_AFTER_MS, () => void poll());
    }
  }
  const unsubscribe = events.subscribe((event) => {
    if (ENDINGS.has(event.type) && 'commandId' in event && event.commandId === id) void poll();
  });
  try {
    void poll();
    return await promise;
  } finally {
    unsubscribe();
    cancel();
  }
}
