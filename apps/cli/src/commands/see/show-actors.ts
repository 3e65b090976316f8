import { getActors } from '@signalbox/api';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { namedServer } from '../../client/named-server.ts';
import { askAt } from '../../client/send-to.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { actorsView } from '../../views/actors-view.ts';

/** `signalbox status --machine`: the coordinator's actors and their states. */
export async function showActors(context: Context): Promise<void> {
  const access =
    namedServer(context.flags, context) ??
    (await connectCoordinator(context, { what: "show the coordinator's actors", start: false }));
  const actors = await askAt(access, getActors);
  context.answer({ json: () => ({ actors }), lines: (render) => actorsView(actors, render) });
}
