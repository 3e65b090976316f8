import type { CoordinatorState, RunView } from '@signalbox/api';
import { shortId, writtenDuration } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { dateAndTime, type Look, plural, timeOfDay } from '../screen/look.ts';
import { clientAt } from './client-at.ts';
import { findCoordinator } from './find-coordinator.ts';
import { recoveryLine } from './recovery-line.ts';

/** The coordinator of a workspace as a process, and the runs that it leads. */
export type CoordinatorReport = Readonly<{ state: CoordinatorState; runs: readonly RunView[] }>;

/**
 * Asks the coordinator of this workspace about itself; null where none has the socket.
 *
 * @throws {UnavailableError} `coordinator-hangs` and the like.
 */
export async function readCoordinator(
  context: Pick<Context, 'directory' | 'clock'>,
): Promise<CoordinatorReport | null> {
  const found = await findCoordinator(context, 'look');
  if (found === null) return null;
  const { getCoordinator, listRuns } = clientAt(found.access);
  const [state, { runs }] = await Promise.all([getCoordinator(), listRuns()]);
  return { state, runs: runs.filter((run) => run.state === 'running') };
}

/** A row for each run that goes on, with how to come back to it, for a recovery, for each open port, and for the process. */
export function coordinatorLines({ state, runs }: CoordinatorReport, look: Look): readonly Line[] {
  const { ports, recovering } = state;
  return [
    ...runs.map((run) => runLine(run, look)),
    ...(recovering === null ? [] : [recoveryLine(recovering)]),
    ...ports.map((url) => line(muted('open port: '), as('accent', url), muted(' · signalbox dashboard'))),
    processLine(state, look),
  ];
}

function runLine({ id, by, startedAt, sessions }: RunView, look: Look): Line {
  const facts = `run ${shortId(id)} by ${by} since ${timeOfDay(startedAt, look)}, ${plural(sessions.length, 'session')}`;
  return line(facts, muted(' · '), as('accent', `signalbox attach ${shortId(id)}`));
}

function processLine(state: CoordinatorState, look: Look): Line {
  const { pid, version, since, clients, idleExitMs, stopping } = state;
  const parts = [
    `process ${pid}`,
    `since ${dateAndTime(since, look)}`,
    version,
    plural(clients, 'client'),
    ...(stopping ? ['stopping'] : []),
    ...(idleExitMs === null || stopping ? [] : [`ends ${writtenDuration(idleExitMs)} after the last`]),
  ];
  return line(muted(`coordinator: ${parts.join(' · ')}`));
}
