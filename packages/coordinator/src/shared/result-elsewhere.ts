import type { CommandId, CommandResult, CommandStore, EventLog, EventType } from '@signalbox/core';

const ENDINGS: ReadonlySet<EventType> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/** The result of a command that another coordinator leads now, once it is done. */
export async function resultElsewhere(
  parts: { readonly store: Pick<CommandStore, 'get'>; readonly events: Pick<EventLog, 'subscribe'> },
  id: CommandId,
): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const look = async (): Promise<void> => {
    const result = (await parts.store.get(id))?.result;
    if (result != null) resolve(result);
  };
  const unsubscribe = parts.events.subscribe((event) => {
    if (ENDINGS.has(event.type) && 'commandId' in event && event.commandId === id) void look();
  });
  try {
    await look();
    return await promise;
  } finally {
    unsubscribe();
  }
}
