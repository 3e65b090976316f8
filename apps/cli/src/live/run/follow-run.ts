import type { RunView } from '@signalbox/api';
import {
  type Event,
  type EventId,
  type ProviderId,
  type Settings,
  shortId,
  UnavailableError,
} from '@signalbox/core';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { unlessRefused } from '../../client/send-to.ts';
import { createCoordinatorClient } from '../../client/coordinator-client.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, line, muted } from '../../terminal/line.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { serverReader } from '../../client/readers/server-reader.ts';
import { reportRunEnd } from './run-end.ts';
import { keysFor } from './keys-for.ts';
import { isLive, openRunScreen, type RunShown, showRun } from './show-run.ts';
import { stopOrDetach } from './stop-or-detach.ts';

type Where = Readonly<{
  access: LocalAccess;
  settings: Settings;
  context: Context;
  /** Whether the run continues without this terminal. */
  canDetach: boolean;
}>;

/**
 * Shows a run from its beginning, prompts for its approvals, and reports how it ended.
 *
 * If its coordinator dies, another one is started, which continues the run.
 *
 * @throws {UnavailableError} `coordinator-gone` if the coordinator was stopped first
 */
export async function followRun(run: RunView, where: Where): Promise<ExitCode> {
  const { access, context } = where;
  const client = await createCoordinatorClient(access, 'terminal');
  const reader = serverReader(access, context.clock);
  const left = new AbortController();
  let isDetached = false;
  function detach(): void {
    isDetached = true;
    left.abort();
  }
  const screen = openRunScreen(run, { context, client, reader, onDetach: where.canDetach ? detach : null });
  const warn = (text: string): void => screen.note([line(as('warn', text))]);
  const steps = stopOrDetach({
    interrupts: context.interrupts,
    ask: (signal) => screen.askStop(signal),
    atTermination: where.canDetach && isLive(context) ? 'detach' : 'stop',
    stop(mode) {
      screen.hint('stopping; Ctrl-C again stops processes now');
      warn(STOPPING[mode]);
      unlessRefused('unknown-run', client.stopRun({ id: run.id, mode })).catch(context.reportError);
    },
    detach,
  });
  const events: Event[] = [];
  const keys = (provider: ProviderId) => keysFor([provider], { ...where, env: context.env });
  let shown: RunShown = { how: 'gone', seen: run.firstEvent };
  try {
    for (let isLed = true; isLed; isLed = shown.how === 'gone' && (await hasSuccessor(shown.seen, where))) {
      shown = await showRun(run, {
        access,
        after: shown.seen,
        client,
        context,
        screen,
        withOutput: context.flags.json,
        keys,
        signal: left.signal,
        receive(event) {
          if (event.type !== 'command_output') events.push(event);
        },
      });
    }
  } finally {
    left.abort();
    steps.close();
    await screen.close();
  }
  if (isDetached) {
    reportDetached(run, context);
    return steps.exitCode() ?? EXIT.ok;
  }
  if (shown.how !== 'over') throw coordinatorGone(run, await isLeft(run, context));
  const exit = await reportRunEnd(run, events, { ...where, client, reader });
  return steps.exitCode() ?? exit;
}

const STOPPING = {
  graceful: 'Stopping: no new calls. Running commands have 10 s; Ctrl-C again stops them now',
  force: 'Stopping every process now',
} as const;

function reportDetached({ id }: RunView, context: Context): void {
  context.json({ event: 'run.detached', run: id });
  context.say([
    line(
      'Detached: the run continues. Return to it with ',
      as('accent', `signalbox attach ${shortId(id)}`),
      muted(' · signalbox approve answers its approvals'),
    ),
  ]);
}

/** A coordinator that died is replaced, and the next one continues its runs. One that was stopped is not replaced. */
async function hasSuccessor(seen: EventId, { context, canDetach }: Where): Promise<boolean> {
  // Led by this process alone.
  if (!canDetach || (await wasStopped(seen, context))) return false;
  await connectCoordinator(context, { what: 'continue the run', start: true });
  return true;
}

async function wasStopped(seen: EventId, { entry, directory, env }: Context): Promise<boolean> {
  const records = await entry.openRecords({ workspace: directory, env });
  try {
    const since = await records?.events.since(seen);
    return since?.kind === 'events' && since.events.some(({ type }) => type === 'coordinator_stopped');
  } finally {
    await records?.close();
  }
}

/** Whether the next coordinator continues it. */
async function isLeft({ id }: RunView, { entry, directory, env }: Context): Promise<boolean> {
  const records = await entry.openRecords({ workspace: directory, env }).catch(() => null);
  try {
    return ((await records?.leftRuns()) ?? []).includes(id);
  } finally {
    await records?.close();
  }
}

function coordinatorGone({ id }: RunView, isStored: boolean): UnavailableError {
  return new UnavailableError('coordinator-gone', 'Cannot follow the run: its coordinator has stopped', {
    why: [
      isStored ? `run ${id} is stored, and the next coordinator continues it` : `run ${id} ended with it`,
    ],
    next: [
      ...(isStored ? [`signalbox attach ${shortId(id)}   starts one`] : []),
      'signalbox review   shows the changes',
    ],
  });
}
