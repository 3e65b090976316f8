import type { RunService } from '@signalbox/coordinator';
import type { CommandStore, EventLog } from '@signalbox/core';

type Parts = Readonly<{
  runs: Pick<RunService, 'drain' | 'count'>;
  store: Pick<CommandStore, 'countUnfinished'>;
  events: Pick<EventLog, 'subscribe'>;
}>;

/** Number of unfinished runs and commands. */
export async function countAtWork({ runs, store }: Pick<Parts, 'runs' | 'store'>): Promise<number> {
  const counts = await store.countUnfinished();
  return counts.reduce((sum, { commands }) => sum + commands, runs.count());
}

/** Settles when the last run and the last command are done; no run starts meanwhile. */
export async function whenDrained(parts: Parts): Promise<void> {
  await parts.runs.drain();
  const { promise, resolve } = Promise.withResolvers<void>();
  const render = async (): Promise<void> => {
    // An unreachable backend reports itself with the next event.
    const count = await countAtWork(parts).catch(() => 1);
    if (count === 0) resolve();
  };
  const unsubscribe = parts.events.subscribe(() => void render());
  void render();
  await promise.finally(unsubscribe);
}
