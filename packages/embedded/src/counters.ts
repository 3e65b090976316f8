import type { Clock, Counters } from '@signalbox/core';
import type { Database } from './database.ts';
import { numberOf } from './row.ts';

/** An entry is in the window while its age is less than the window's length. */
export function createCounters(database: Database, clock: Clock): Counters {
  const countWindow = database.prepare('SELECT count(*) AS used FROM counted WHERE key = ? AND at > ?');
  const nthOldest = database.prepare('SELECT at FROM counted WHERE key = ? ORDER BY at LIMIT 1 OFFSET ?');
  const forget = database.prepare('DELETE FROM counted WHERE key = ? AND at <= ?');
  // After the clock was set back, entries from the future would stay longer than the window.
  const clampToNow = database.prepare('UPDATE counted SET at = ? WHERE key = ? AND at > ?');
  const count = database.prepare('INSERT INTO counted (key, at) VALUES (?, ?)');
  const usedForEver = database.prepare('SELECT used FROM counted_for_ever WHERE key = ?');
  const countForEver = database.prepare(
    'INSERT INTO counted_for_ever (key, used) VALUES (?, 1) ON CONFLICT DO UPDATE SET used = used + 1',
  );

  const used = (key: string, windowMs: number | null): number => {
    const row = windowMs === null ? usedForEver.get(key) : countWindow.get(key, clock.now() - windowMs);
    return row === undefined ? 0 : numberOf(row, 'used');
  };

  /** Time until enough entries have left the window to admit one more. */
  const retryAfter = (
    key: string,
    { windowMs, surplus }: Readonly<{ windowMs: number; surplus: number }>,
  ): number | null => {
    const row = nthOldest.get(key, surplus);
    return row === undefined ? null : numberOf(row, 'at') + windowMs - clock.now();
  };

  return {
    async take({ key, limit, windowMs }) {
      return database.transaction(() => {
        const now = clock.now();
        if (windowMs !== null) {
          clampToNow.run(now, key, now);
          forget.run(key, now - windowMs);
        }
        const before = used(key, windowMs);
        if (before >= limit) {
          const retryAfterMs =
            windowMs === null ? null : retryAfter(key, { windowMs, surplus: before - limit });
          return { kind: 'exhausted', used: before, retryAfterMs };
        }
        if (windowMs === null) countForEver.run(key);
        else count.run(key, now);
        return { kind: 'taken', used: before + 1 };
      });
    },
    async used(key, windowMs) {
      return used(key, windowMs);
    },
  };
}
