import { shortId } from '@signalbox/core';
import { findCoordinator } from '../client/find-coordinator.ts';
import type { Context } from '../frame/context.ts';
import { as, line, muted } from '../screen/line.ts';
import { timeOfDay } from '../screen/look.ts';
import { runApi } from './run-api.ts';

/** Says which runs go on, and how to come back to them; nothing where no coordinator answers. */
export async function tellRuns(context: Context): Promise<void> {
  const found = await findCoordinator(context, 'look').catch(() => null);
  if (found === null) return;
  const runs = (await runApi(found.access).list()).filter(({ state }) => state === 'running');
  context.say(
    runs.map(({ id, by, startedAt, sessions }) =>
      line(
        `run ${shortId(id)} by ${by} since ${timeOfDay(startedAt, context.lookOfTalk())}, sessions: ${sessions.length}`,
        muted(' · '),
        as('accent', `signalbox attach ${shortId(id)}`),
      ),
    ),
  );
}
