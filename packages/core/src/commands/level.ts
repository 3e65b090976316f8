import * as z from 'zod';

/** How dangerous a call is. `blocked` never runs, whatever a policy or a person says. */
export const Level = z.enum(['safe', 'warning', 'dangerous', 'blocked']);
export type Level = z.infer<typeof Level>;

const RANK: Readonly<Record<Level, number>> = { safe: 0, warning: 1, dangerous: 2, blocked: 3 };

/** The strictest of the levels; `safe` for none. */
export function strictestLevel(levels: Iterable<Level>): Level {
  let strictest: Level = 'safe';
  for (const level of levels) if (RANK[level] > RANK[strictest]) strictest = level;
  return strictest;
}

/** Whether the first level is at least as strict as the second. */
export function isAtLeast(level: Level, bound: Level): boolean {
  return RANK[level] >= RANK[bound];
}
