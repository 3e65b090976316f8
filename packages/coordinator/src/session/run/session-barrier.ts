import type { SessionId } from '@signalbox/core';

/** The sessions of a run, which continue together once all of them have given their answer. */
export type SessionBarrier = {
  /**
   * A session rests: settles with what its model is told next; null: it ends. An aborted signal says that it works
   * again, or ends.
   */
  rest(id: SessionId, signal: AbortSignal): Promise<string | null>;
  /** It is over, and is not waited for. */
  leave(id: SessionId): void;
  /** Resolves as soon as no session works: each rests or has left. */
  allResting(): Promise<void>;
  /** How many rest now. */
  resting(): number;
  /** Whether a session works, since somebody said something to it. */
  isAnyoneAtWork(): boolean;
  /** Ends the rest of all that rest now, with a text for their models. */
  release(text: string): void;
  /** Ends all that rest, and from now on each that would. */
  open(): void;
};

export function createSessionBarrier(ids: readonly SessionId[]): SessionBarrier {
  const working = new Set(ids);
  const resting = new Map<SessionId, (text: string | null) => void>();
  let waiting: (() => void)[] = [];
  let isOpen = false;

  function settleIfResting(): void {
    if (working.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    rest(id, signal) {
      if (signal.aborted || isOpen) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const resume = (): void => {
        // It has left, or was released.
        if (!resting.delete(id)) return;
        working.add(id);
        resolve(null);
      };
      signal.addEventListener('abort', resume, { once: true });
      working.delete(id);
      resting.set(id, resolve);
      settleIfResting();
      return promise.finally(() => signal.removeEventListener('abort', resume));
    },
    leave(id) {
      working.delete(id);
      resting.delete(id);
      settleIfResting();
    },
    allResting() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        settleIfResting();
      });
    },
    resting: () => resting.size,
    isAnyoneAtWork: () => working.size > 0,
    release(text) {
      for (const [id, resolve] of resting) {
        working.add(id);
        resolve(text);
      }
      resting.clear();
    },
    open() {
      isOpen = true;
      for (const resolve of resting.values()) resolve(null);
      resting.clear();
    },
  };
}
