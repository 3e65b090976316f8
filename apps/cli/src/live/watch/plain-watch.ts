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
import { plural } from '../../terminal/render-context.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { plainEvent } from '../../views/plain-event-view.ts';
import { type LanePredicate, passes } from './frame/lane-filter.ts';
import type { ConnectionUpdate } from './frame/connection-update.ts';
import { followServer } from './server-link.ts';

/** One line per event, or one JSON value with `--json`; settles when interrupted. */
export async function watchPlainly(
  context: Context,
  { filter, find }: Readonly<{ filter: LanePredicate; find: () => Promise<LocalAccess> }>,
): Promise<void> {
  const { clock, flags } = context;
  const left = Promise.withResolvers<void>();
  const stopInterrupts = context.interrupts.listen(() => {
    left.resolve();
  });
  let state: WorkspaceState = newWorkspaceState();
  /** Why there is no connection; null: connected. */
  let broken: string | null = null;
  const link = followServer({ find, past: false, clock, tell: receive });

  function printUpdate(text: string): void {
    context.say([line(muted(`${new Date(clock.now()).toISOString()} ${text}`))]);
  }

  function receive(update: ConnectionUpdate): void {
    switch (update.kind) {
      case 'snapshot': {
        state = workspaceStateOf(update.snapshot);
        broken = null;
        const words = { start: 'connected', break: 'back', gap: 'gap: older events are no longer available' };
        const { workspace, mode } = state;
        const asking = commandsIn(state, 'awaiting_approval').length;
        const asks = asking === 0 ? '' : ` · ${plural(asking, 'approval')}: signalbox approve`;
        printUpdate(`${words[update.after]} · ${basename(workspace)} · ${mode.mode}${asks}`);
        return;
      }
      case 'away':
        printUpdate(`${update.why}; shown: ${new Date(update.asOf).toISOString()}`);
        return;
      case 'broken':
        // Each failing try gives the same reason.
        if (update.why !== broken) printUpdate(`not connected: ${update.why}`);
        broken = update.why;
        return;
      case 'event': {
        const { event } = update;
        state = applyEvents(state, [event]);
        const title = 'title' in event ? event.title : '';
        const level = 'commandId' in event ? (state.commands.get(event.commandId)?.level ?? null) : null;
        const isHidden =
          'provider' in event && !passes(filter, { provider: event.provider, states: [], title, level });
        if (isHidden) return;
        context.json(event);
        const reported = plainEvent(event, flags.verbose > 1);
        if (reported !== null) context.print([reported]);
      }
    }
  }

  await left.promise;
  link.close();
  stopInterrupts();
}
