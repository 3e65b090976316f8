import type { Clock } from '@signalbox/core';

/** Of one message of a server. A longer one ends the connection: it is read to no end. */
export const MOST_MESSAGE_BYTES = 8 * 1024 * 1024;
const WINDOW_MS = 10_000;
const MOST_MESSAGES = 20_000;

/** Of what one server says: reading it without end would keep us from everything else. */
export type MessageBudget = {
  /** Counts a message; false when there were too many of late. */
  take(): boolean;
};

/** 20,000 messages in 10 s: far more than progress and logs come to. */
export function createMessageBudget(clock: Pick<Clock, 'monotonic'>): MessageBudget {
  let since = clock.monotonic();
  let heard = 0;
  return {
    take() {
      if (clock.monotonic() - since >= WINDOW_MS) {
        since = clock.monotonic();
        heard = 0;
      }
      heard += 1;
      return heard <= MOST_MESSAGES;
    },
  };
}

/** Why a connection was ended; sentences without their subject. */
export const TOO_LONG_MESSAGE = `sent a message of over ${MOST_MESSAGE_BYTES} bytes`;
export const TOO_MANY_MESSAGES = `sent over ${MOST_MESSAGES} messages within ${WINDOW_MS / 1000} s`;
