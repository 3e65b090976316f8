import { InvariantError } from './errors/errors.ts';
import type { Clock } from './ports/clock.ts';

/** Longest delay of a Node.js timer; a longer one would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The clock of this machine. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    timer(delayMs, callback) {
      if (!(delayMs <= MAX_DELAY_MS)) throw new InvariantError(`Cannot wait ${delayMs} ms: it is too long`);
      const dueAt = performance.now() + delayMs;
      let timeout = setTimeout(fire, delayMs);
      return () => clearTimeout(timeout);

      // Node.js counts whole milliseconds and may fire up to one early.
      function fire(): void {
        const leftMs = dueAt - performance.now();
        if (leftMs <= 0) callback();
        else timeout = setTimeout(fire, Math.ceil(leftMs));
      }
    },
  };
}
