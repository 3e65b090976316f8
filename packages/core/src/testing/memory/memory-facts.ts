import { canonicalJson, type Json } from '../../json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import type { Facts } from '../../ports/facts.ts';

/** Named values in memory, for tests. */
export function createMemoryFacts(): Facts {
  const values = new Map<string, Json>();
  const same = (a: Json | undefined, b: Json | undefined): boolean => canonicalJson(a) === canonicalJson(b);
  return {
    get: async (key) => values.get(key),
    async set(key, value) {
      values.set(key, value);
    },
    async compareAndSet(key, { expected, value }) {
      if (!same(values.get(key), expected)) return false;
      values.set(key, value);
      return true;
    },
  };
}

/** Rates and quotas in memory, for tests. */
export function createMemoryCounters(clock: Clock): Counters {
  const takes = new Map<string, readonly number[]>();
  const inWindow = (key: string, windowMs: number | null): readonly number[] =>
    (takes.get(key) ?? []).filter((at) => windowMs === null || at > clock.now() - windowMs);
  return {
    async take({ key, limit, windowMs }) {
      const counted = inWindow(key, windowMs);
      if (counted.length < limit) {
        takes.set(key, [...counted, clock.now()]);
        return { kind: 'taken', used: counted.length + 1 };
      }
      const leaves = counted[counted.length - limit];
      const never = windowMs === null || leaves === undefined;
      return {
        kind: 'exhausted',
        used: counted.length,
        retryAfterMs: never ? null : leaves + windowMs - clock.now(),
      };
    },
    used: async (key, windowMs) => inWindow(key, windowMs).length,
  };
}
