import { basename } from 'node:path';
import type { Event, Level } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { line, muted } from '../screen/line.ts';
import { plural } from '../screen/look.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { plainEvent } from '../views/plain-event-view.ts';
import { type Filtered, type LaneFilter, passes } from './lane-filter.ts';
import { levelIn } from './level-of.ts';
import type { LinkNews } from './link-news.ts';
import { followServer } from './server-link.ts';

const MOST_LEVELS = 1000;

/** One line an event, and with `--json` one JSON value; settles when it is interrupted. */
export async function watchPlainly(
  context: Context,
  { filter, find }: Readonly<{ filter: LaneFilter; find: () => Promise<LocalAccess> }>,
): Promise<void> {
  const { clock, flags } = context;
  const left = Promise.withResolvers<void>();
  const stopInterrupts = context.interrupts.listen(() => {
    left.resolve();
  });
  const link = followServer({ find, past: false, clock, tell: hear });

  /** Of commands that are not done. */
  const levels = new Map<string, Level>();

  function noteLevel(event: Event): void {
    const level = levelIn(event);
    if (level !== null && 'commandId' in event) levels.set(event.commandId, level);
    // The oldest have ended, or nobody asks about them any more.
    for (const oldest of levels.keys()) if (levels.size > MOST_LEVELS) levels.delete(oldest);
  }

  function filteredOf(event: Event & { readonly provider: string }, title: string): Filtered {
    const level = 'commandId' in event ? (levels.get(event.commandId) ?? null) : null;
    return { provider: event.provider, state: '', title, level };
  }

  function tellNews(text: string): void {
    context.say([line(muted(`${new Date(clock.now()).toISOString()} ${text}`))]);
  }

  function hear(news: LinkNews): void {
    switch (news.kind) {
      case 'snapshot': {
        const words = { start: 'connected', break: 'back', gap: 'gap: older events are gone' };
        const { workspace, mode, commands } = news.snapshot;
        const asking = commands.filter(({ state }) => state === 'awaiting_approval').length;
        const asks = asking === 0 ? '' : ` · ${plural(asking, 'approval')}: signalbox approve`;
        tellNews(`${words[news.after]} · ${basename(workspace)} · ${mode.mode}${asks}`);
        return;
      }
      case 'away':
        tellNews(`${news.why}; shown: ${new Date(news.asOf).toISOString()}`);
        return;
      case 'broken':
        tellNews(`not connected: ${news.why}`);
        return;
      case 'event': {
        const { event } = news;
        const title = 'title' in event ? event.title : '';
        noteLevel(event);
        if ('provider' in event && !passes(filter, filteredOf(event, title))) return;
        context.json(event);
        const told = plainEvent(event, flags.verbose > 1);
        if (told !== null) context.print([told]);
      }
    }
  }

  await left.promise;
  link.close();
  stopInterrupts();
}
