import { type Clock, SignalboxError, UnavailableError } from '@signalbox/core';
import { answersNothing } from './redis-failure.ts';

/** Since when Redis has answered nothing, and what came instead of an answer. */
export type Absence = { readonly since: number; readonly error: UnavailableError };

/** Whether Redis answers this process, as the newest of its commands tells. */
export type Presence = {
  /** Null while it answers. */
  away(): Absence | null;
  /** When the newest command was sent that it answered; epoch milliseconds by this process's clock. */
  answeredAt(): number;
  /** Calls back when it went, and when it came back; call the answer to end that. */
  onChange(listener: () => void): () => void;
  /** Tells what came of a command that was sent at that moment: an error, or none. */
  tell(sentAt: number, error?: unknown): void;
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
    tell(sentAt, error) {
      if (error instanceof UnavailableError && answersNothing(error)) {
        become({ since: absence?.since ?? clock.now(), error });
      } else if (error === undefined || error instanceof SignalboxError) {
        answeredAt = Math.max(answeredAt, sentAt);
        become(null);
      }
    },
  };
}
