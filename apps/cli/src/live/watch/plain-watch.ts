import { basename } from 'node:path';
import {
  applyEvents,
  commandsIn,
  newWorkspaceState,
  type WorkspaceState,
  workspaceStateOf,
} from '@signalbox/api';
import type { Context } from '../../runtime/contract/context.ts';
import { line, muted } from '../../terminal/line.ts';
import { plural } from '../../terminal/look.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { plainEvent } from '../../views/plain-event-view.ts';
import { type LaneFilter, passes } from './lane-filter.ts';
import type { LinkNews } from './link-news.ts';
import { followServer } from './server-link.ts';

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
  let state: WorkspaceState = newWorkspaceState();
  /** Why there is no connection; null: there is one. */
  let broken: string | null = null;
  const link = followServer({ find, past: false, clock, tell: hear });

  function tellNews(text: string): void {
    context.say([line(muted(`${new Date(clock.now()).toISOString()} ${text}`))]);
  }

  function hear(news: LinkNews): void {
    switch (news.kind) {
      case 'snapshot': {
        state = workspaceStateOf(news.snapshot);
        broken = null;
        const words = { start: 'connected', break: 'back', gap: 'gap: older events are gone' };
        const { workspace, mode } = state;
        const asking = commandsIn(state, 'awaiting_approval').length;
        const asks = asking === 0 ? '' : ` · ${plural(asking, 'approval')}: signalbox approve`;
        tellNews(`${words[news.after]} · ${basename(workspace)} · ${mode.mode}${asks}`);
        return;
      }
      case 'away':
        tellNews(`${news.why}; shown: ${new Date(news.asOf).toISOString()}`);
        return;
      case 'broken':
        // Each try says the same until one succeeds.
        if (news.why !== broken) tellNews(`not connected: ${news.why}`);
        broken = news.why;
        return;
      case 'event': {
        const { event } = news;
        state = applyEvents(state, [event]);
        const title = 'title' in event ? event.title : '';
        const level = 'commandId' in event ? (state.commands.get(event.commandId)?.level ?? null) : null;
        const isHidden =
          'provider' in event && !passes(filter, { provider: event.provider, states: [], title, level });
        if (isHidden) return;
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
