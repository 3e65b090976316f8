import type { Clock, EventLog } from '@signalbox/core';
import type { News } from './news.ts';
import { pause } from './pause.ts';

const LOOK_EVERY_MS = 100;

/** What whoever leads the workspace stores in its log, from now on until the signal aborts; over restarts, too. */
export async function* newsOfRecords(
  events: Pick<EventLog, 'since' | 'lastId'>,
  { clock, signal }: { readonly clock: Pick<Clock, 'timer'>; readonly signal: AbortSignal },
): AsyncGenerator<News, void> {
  let last = await events.lastId();
  yield { kind: 'begun' };
  while (!signal.aborted) {
    const page = await events.since(last);
    if (page.kind === 'reset') {
      last = await events.lastId();
      yield { kind: 'gap' };
      continue;
    }
    for (const event of page.events) yield { kind: 'event', event };
    last = page.events.at(-1)?.id ?? last;
    if (page.events.length === 0) await pause(LOOK_EVERY_MS, clock, signal);
  }
}
