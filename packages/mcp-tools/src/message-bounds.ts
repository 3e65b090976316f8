import type { Clock } from '@signalbox/core';

/** Upper bound on one message of a server. A longer one ends the connection, as it may never end. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const WINDOW_MS = 10_000;
const MAX_MESSAGES = 20_000;

/** Limits the messages of one server: reading without end would block everything else. */
export type MessageBudget = {
  /** Counts a message; false if there were too many recently. */
  take(): boolean;
};

/** Creates a budget of 20,000 messages per 10 s, far more than progress and logs need. */
export function createMessageBudget(clock: Pick<Clock, 'monotonic'>): MessageBudget {
  let since = clock.monotonic();
  let received = 0;
  return {
    take() {
      if (clock.monotonic() - since >= WINDOW_MS) {
        since = clock.monotonic();
        received = 0;
      }
      received += 1;
      return received <= MAX_MESSAGES;
    },
  };
}

/** Reasons for ending a connection; sentences without a subject. */
export const TOO_LONG_MESSAGE = `sent a message of over ${MAX_MESSAGE_BYTES} bytes`;
export const TOO_MANY_MESSAGES = `sent over ${MAX_MESSAGES} messages within ${WINDOW_MS / 1000} s`;
