import type { EventLog } from '@signalbox/core';

/** What the tool filter saved, over the kept events. */
export type FilterTotals = {
  /** Turns whose offer it shortened. */
  readonly turns: number;
  /** Estimated tokens of the definitions that it left out. */
  readonly tokensSaved: number;
};

/** @param since epoch milliseconds; absent: all kept events */
export async function filterTotals(
  events: Pick<EventLog, 'eachOfSessions'>,
  since?: number,
): Promise<FilterTotals> {
  let turns = 0;
  let tokensSaved = 0;
  await events.eachOfSessions((event) => {
    if (event.type !== 'turn_ended' || event.filter === undefined) return;
    if (since !== undefined && event.at < since) return;
    turns += 1;
    tokensSaved += event.filter.tokensSaved;
  });
  return { turns, tokensSaved };
}
