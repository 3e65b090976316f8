import type { CommandStore, EventLog, Logger, Scheduler } from '@signalbox/core';
import type { Coordinator } from './coordinator-api.ts';

/** Works for waiting commands of any coordinator, since they share the scheduler; log and events name the person. */
export function createPrioritize(parts: {
  readonly scheduler: Scheduler;
  readonly store: CommandStore;
  readonly events: EventLog;
  readonly logger: Logger;
}): Coordinator['prioritize'] {
  const { scheduler, store, events, logger } = parts;
  return async (id, { priority, by }) => {
    const record = await store.get(id);
    if (record === null || !(await scheduler.prioritize(id, priority))) return 'not-waiting';
    logger.info({ commandId: id, priority, by }, 'command prioritized');
    const { provider, sessionId } = record.context;
    await events.append([
      { type: 'command_prioritized', commandId: id, sessionId, provider, title: record.title, priority, by },
    ]);
    return 'prioritized';
  };
}
