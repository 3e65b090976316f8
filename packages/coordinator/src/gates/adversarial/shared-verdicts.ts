import { keepLatest } from '../../keep-latest.ts';

/** Verdicts kept; an older one is asked for again. */
const MAX_KEPT = 1000;

/** One request for equal calls: those at the same time share it, and later ones use its answer. */
export type SharedVerdicts<Answer> = {
  /**
   * Rejects when the caller's signal is aborted; the request ends when no one waits for it any more.
   *
   * @param options.keeps whether later calls may use the answer
   */
  of(
    key: string,
    options: {
      readonly ask: (signal: AbortSignal) => Promise<Answer>;
      readonly keeps: (answer: Answer) => boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly answer: Answer; readonly cached: boolean }>;
};

type Flight<Answer> = {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  waiting: number;
};

export function createSharedVerdicts<Answer>(): SharedVerdicts<Answer> {
  const kept = new Map<string, Answer>();
  const flights = new Map<string, Flight<Answer>>();

  function begin(key: string, { ask, keeps }: Parameters<SharedVerdicts<Answer>['of']>[1]): Flight<Answer> {
    const controller = new AbortController();
    const asked = ask(controller.signal);
    const flight: Flight<Answer> = { answer: asked, controller, waiting: 0 };
    flights.set(key, flight);
    void settle();
    return flight;

    async function settle(): Promise<void> {
      try {
        const answer = await asked;
        if (keeps(answer)) keepLatest(kept, key, { value: answer, max: MAX_KEPT });
      } catch {
        // Its callers get the error.
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
      }
    }
  }

  return {
    async of(key, options) {
      const { signal } = options;
      const known = kept.get(key);
      if (known !== undefined) return { answer: known, cached: true };
      const open = flights.get(key);
      const flight = open ?? begin(key, options);
      flight.waiting += 1;
      const gone = Promise.withResolvers<never>();
      const leave = (): void => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          flights.delete(key);
          flight.controller.abort();
        }
        gone.reject(new Error('no longer waited for'));
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      try {
        return { answer: await Promise.race([flight.answer, gone.promise]), cached: open !== undefined };
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
