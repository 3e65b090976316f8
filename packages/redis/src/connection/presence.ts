import { type Clock, SignalboxError, UnavailableError } from '@signalbox/core';
import { answersNothing } from './redis-failure.ts';

/** When Redis stopped answering, and the latest error. */
export type Absence = { readonly since: number; readonly error: UnavailableError };

/** Whether Redis answers this process, judged by the latest command. */
export type Presence = {
  /** Null while Redis answers. */
  away(): Absence | null;
  /** When the latest answered command was sent, in epoch milliseconds by this process's clock. */
  answeredAt(): number;
  /** Called when Redis becomes unreachable and when it is back. Call the result to stop. */
  onChange(listener: () => void): () => void;
  /** Records the result of a command sent at `sentAt`: an error, or undefined for success. */
  record(sentAt: number, error?: unknown): void;
};

export function createPresence(clock: Clock): Presence {
  const listeners = new Set<() => void>();
  let absence: Absence | null = null;
  let answeredAt = clock.now();

  function become(next: Absence | null): void {
    const isOther = (next === null) !== (absence === null);
    absence = next;
    if (isOther) for (const listener of listeners) listener();
  }

  return {
    away: () => absence,
    answeredAt: () => answeredAt,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    record(sentAt, error) {
      if (error instanceof UnavailableError && answersNothing(error)) {
        become({ since: absence?.since ?? clock.now(), error });
      } else if (error === undefined || error instanceof SignalboxError) {
        answeredAt = Math.max(answeredAt, sentAt);
        become(null);
      }
    },
  };
}
