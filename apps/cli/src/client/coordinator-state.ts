import { type CoordinatorState, getCoordinator, type RunView } from '@signalbox/api';
import { shortId, writtenDuration } from '@signalbox/core';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { dateAndTime, type RenderContext, plural, timeOfDay } from '../terminal/render-context.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { wrapLine } from '../terminal/wrap-line.ts';
import { recoveryLine } from './recovery-line.ts';
import { askAt } from './send-to.ts';

/** A workspace's coordinator process, and the runs that it leads. */
export type CoordinatorReport = Readonly<{ state: CoordinatorState; runs: readonly RunView[] }>;

/** The coordinator's own report. */
export async function readCoordinator(access: LocalAccess): Promise<CoordinatorReport> {
  const state = await askAt(access, getCoordinator);
  if (state.runs === 0) return { state, runs: [] };
  const { clientAt } = await import('./client-at.ts');
  const { runs } = await clientAt(access).listRuns();
  return { state, runs: runs.filter((run) => run.state === 'running') };
}

/** One row per active run, with how to return to it, for a recovery, per open port, and for the process. */
export function coordinatorLines({ state, runs }: CoordinatorReport, render: RenderContext): readonly Line[] {
  const { ports, recovering } = state;
  return [
    ...runs.flatMap((run) => wrapLine(runLine(run, render), render.width)),
    ...(recovering === null ? [] : [recoveryLine(recovering)]),
    ...ports.map((url) => line(muted('open port: '), as('accent', url), muted(' · signalbox dashboard'))),
    ...wrapLine(processLine(state, render), render.width),
  ];
}

function runLine({ id, by, startedAt, sessions }: RunView, render: RenderContext): Line {
  const facts = `run ${shortId(id)} by ${by} since ${timeOfDay(startedAt, render)}, ${plural(sessions.length, 'session')}`;
  return line(facts, muted(' · '), as('accent', `signalbox attach ${shortId(id)}`));
}

function processLine(state: CoordinatorState, render: RenderContext): Line {
  const { pid, version, since, clients, idleExitMs, stopping } = state;
  const parts = [
    `process ${pid}`,
    `since ${dateAndTime(since, render)}`,
    version,
    plural(clients, 'client'),
    ...(stopping ? ['stopping'] : []),
    ...(idleExitMs === null || stopping
      ? []
      : [`stops ${writtenDuration(idleExitMs)} after its last client`]),
  ];
  return line(muted(`coordinator: ${parts.join(' · ')}`));
}
