import type { Clock } from '@signalbox/core';

/** Answers in memory, by key; the ones used longest ago are dropped first. */
export type KeptAnswers<Answer> = {
  get(key: string): Answer | undefined;
  count(): number;
  clear(): void;
  set(key: string, answer: Answer, options: Readonly<{ bytes: number }>): void;
};

/** An estimate of what an answer holds at most, in bytes; a larger one is not kept. */
const MAX_ANSWER_BYTES = 512 * 1024;
const MAX_BYTES = 32 * 1024 ** 2;

/** @param options.ttlMs 0: no limit. */
export function createKeptAnswers<Answer>(options: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly ttlMs: number;
}): KeptAnswers<Answer> {
  const { clock, ttlMs } = options;
  const kept = new Map<string, { readonly answer: Answer; readonly bytes: number; readonly at: number }>();
  let total = 0;

  function drop(key: string): void {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  return {
    count: () => kept.size,
    clear() {
      kept.clear();
      total = 0;
    },
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      if (ttlMs > 0 && clock.monotonic() - found.at >= ttlMs) {
        drop(key);
        return undefined;
      }
      kept.delete(key);
      kept.set(key, found);
      return found.answer;
    },
    set(key, answer, { bytes }) {
      drop(key);
      if (bytes > MAX_ANSWER_BYTES) return;
      kept.set(key, { answer, bytes, at: clock.monotonic() });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= MAX_BYTES) return;
        drop(oldest);
      }
    },
  };
}
