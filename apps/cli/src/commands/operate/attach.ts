import type { RunView } from '@signalbox/api';
import { RunId, shortId, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { clientAt } from '../../client/client-at.ts';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { isGone } from '../../client/reconnect.ts';
import type { Context } from '../../runtime/contract/context.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { followRun } from '../../live/run/follow-run.ts';
import { dateAndTime } from '../../terminal/render-context.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';

/** `signalbox attach`: returns to a detached run, or to one started in another terminal. */
export const attach = defineSubcommand({
  name: 'attach',
  args: z.object({ run: z.string().optional() }),
  async run({ run: typed }, context) {
    refuseInsideCommand(context, 'attach to a run');
    const access = await coordinatorOf(context);
    const { settings } = await loadSettings(context);
    const timeOf = (at: number): string => dateAndTime(at, context.noticeRender());
    const { runs } = await clientAt(access).listRuns();
    const run = chooseRun(runs, typed, timeOf);
    return followRun(run, { access, settings, context, canDetach: true });
  },
});

/** The coordinator; a new one if the last has died and left runs, which it continues. */
async function coordinatorOf(context: Context): Promise<LocalAccess> {
  const what = 'attach to a run';
  try {
    return await connectCoordinator(context, { what, start: false });
  } catch (error) {
    if (!isGone(error) || !(await hasLeftRuns(context))) throw error;
    return connectCoordinator(context, { what, start: true });
  }
}

async function hasLeftRuns({ entry, directory: workspace, env }: Context): Promise<boolean> {
  const records = await entry.openRecords({ workspace, env });
  try {
    return ((await records?.leftRuns()) ?? []).length > 0;
  } finally {
    await records?.close();
  }
}

/**
 * The run that an id means, by any unique prefix; without an id the running one, else the last.
 *
 * @throws {UsageError} `unknown-id`, `ambiguous-id`, `run-lost`
 */
export function chooseRun(
  runs: readonly RunView[],
  typed: string | undefined,
  timeOf: (at: number) => string,
): RunView {
  const running = runs.filter(({ state }) => state === 'running');
  const latest = running.length > 0 ? running : runs.filter(({ state }) => state === 'ended').slice(0, 1);
  const begun = typed === undefined || typed.startsWith('run_') ? typed : `run_${typed}`;
  const meant = begun === undefined ? latest : runs.filter(({ id }) => id.startsWith(begun));
  const [first, ...others] = meant;
  if (first === undefined) throw unknownRun(typed);
  if (others.length > 0) {
    const known = meant.map(
      ({ id, by, startedAt, until }) => `${shortId(id)}  by ${by}, ${timeOf(startedAt)}  ${until ?? ''}`,
    );
    throw new UsageError('ambiguous-id', `Cannot tell which run is meant: ${meant.length} match`, {
      why: known,
      next: [`signalbox attach ${shortId(first.id)}`],
    });
  }
  if (first.state === 'lost') throw lostRun(first);
  return first;
}

function unknownRun(typed: string | undefined): UsageError {
  const isWhole = typed !== undefined && RunId.safeParse(typed).success;
  const what = typed === undefined ? 'no run of this workspace is known' : `there is no run "${typed}"`;
  return new UsageError('unknown-id', `Cannot attach: ${what}`, {
    why: isWhole ? ['only the last 200 runs are known'] : [],
    next: ['signalbox attach   the one that runs', 'signalbox run "…"'],
  });
}

function lostRun({ id }: RunView): UsageError {
  return new UsageError(
    'run-lost',
    `Cannot attach to run ${id}: its coordinator stopped before it finished`,
    {
      why: ['it was started by a version that stores no runs, or what is stored of it could not be read'],
      next: ['signalbox history', 'signalbox review   shows the changes'],
    },
  );
}
