import { usePanel } from '../workspace/panel-store.ts';
import type { Panel } from '../workspace/panel.ts';

type Counts = Readonly<{ asking: number; waiting: number; running: number }>;

const NONE: Counts = { asking: 0, waiting: 0, running: 0 };

let last: Readonly<{ summaries: Panel['commands'] | null; counts: Counts }> = {
  summaries: null,
  counts: NONE,
};

/** How many commands are pending approval, waiting for a lease, and running. */
export function useCounts(): Counts {
  return usePanel(({ panel }) => (panel === null ? NONE : countsOf(panel)));
}

function countsOf({ commands: summaries, unlisted }: Panel): Counts {
  if (last.summaries === summaries) return last.counts;
  const counts: { -readonly [Key in keyof Counts]: number } = { ...NONE, waiting: unlisted };
  for (const { state } of summaries.values()) {
    if (state === 'awaiting_approval') counts.asking += 1;
    else if (state === 'queued') counts.waiting += 1;
    else if (state === 'running') counts.running += 1;
  }
  const isSame =
    counts.asking === last.counts.asking &&
    counts.waiting === last.counts.waiting &&
    counts.running === last.counts.running;
  last = { summaries, counts: isSame ? last.counts : counts };
  return last.counts;
}
