import type { CommandSummary } from './command-summary.ts';

/** How commands ended. A rejected stale write is no failure: its session reads again and redoes it. */
export type Endings = Readonly<{
  done: number;
  failed: number;
  stale: number;
  /** Others ended before those that are counted. */
  hasOlder: boolean;
}>;

export const NO_ENDINGS: Endings = { done: 0, failed: 0, stale: 0, hasOlder: false };

export function endingsIn(commands: readonly CommandSummary[], hasOlder: boolean): Endings {
  return commands.reduce(endingsWith, { ...NO_ENDINGS, hasOlder });
}

/** One that was denied or cancelled, or is not done, counts for nothing. */
export function endingsWith(endings: Endings, { outcome }: CommandSummary): Endings {
  switch (outcome) {
    case 'completed':
      return { ...endings, done: endings.done + 1 };
    case 'conflict':
      return { ...endings, stale: endings.stale + 1 };
    case 'failed':
    case 'timed_out':
    case 'lost':
      return { ...endings, failed: endings.failed + 1 };
    case 'denied':
    case 'blocked':
    case 'cancelled':
    case null:
      return endings;
  }
}
