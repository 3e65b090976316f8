import type { CommandSummary } from '../command-summary.ts';

/** Counts of outcomes. A rejected stale write is not a failure: its session reads again and redoes it. */
export type Endings = Readonly<{
  done: number;
  failed: number;
  stale: number;
  /** Earlier commands ended that are not counted. */
  hasOlder: boolean;
}>;

export const NO_ENDINGS: Endings = { done: 0, failed: 0, stale: 0, hasOlder: false };

export function endingsIn(commands: readonly CommandSummary[], hasOlder: boolean): Endings {
  return commands.reduce(endingsWith, { ...NO_ENDINGS, hasOlder });
}

/** A command that was denied or cancelled, or is not done, is not counted. */
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
