/** Time that the retries of one task have waited, in milliseconds: its turns and its calls share it (S001-100). */
export type RetryBudget = { spentMs(): number; spend(ms: number): void };

/** By session; a call of an agent, whose tasks are unknown here, has its own. */
export type RetryBudgets = { of(key: string): RetryBudget };

/** The least recently used ones beyond this are forgotten. */
const MAX_KEPT = 1000;

export function createRetryBudgets(): RetryBudgets {
  const spent = new Map<string, number>();
  return {
    of: (key) => ({
      spentMs: () => spent.get(key) ?? 0,
      spend(ms) {
        const sum = (spent.get(key) ?? 0) + ms;
        spent.delete(key);
        spent.set(key, sum);
        for (const oldest of spent.keys()) if (spent.size > MAX_KEPT) spent.delete(oldest);
      },
    }),
  };
}
