import type { EventLog, Logger, NewEvent } from '@signalbox/core';

/** Publishes a session's steps in the event log. */
export type SessionJournal = {
  /** Never fails: an event log that can't be written must not lose a turn or a result. */
  tell(...events: readonly NewEvent[]): Promise<void>;
};

export function createSessionJournal(events: Pick<EventLog, 'append'>, logger: Logger): SessionJournal {
  return {
    async tell(...reported) {
      if (reported.length === 0) return;
      try {
        await events.append(reported);
      } catch (error) {
        logger.error({ error, types: reported.map(({ type }) => type) }, 'session events not stored');
      }
    },
  };
}
