import type { Client, RunView } from '@signalbox/api';
import { type Event, type SessionId, type Settings, shortId, UnavailableError } from '@signalbox/core';
import { unlessRefused } from '../../client/send-to.ts';
import { type CoordinatorClient, createCoordinatorClient } from '../../client/coordinator-client.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, line, muted } from '../../terminal/line.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { followEvents } from '../../client/event-stream.ts';
import { serverReader } from '../../client/readers/server-reader.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { tellRunEnd } from './run-end.ts';
import { createRunLog } from './run-log.ts';
import { createRunScreen, type RunScreen } from './run-screen.ts';
import { stopOrDetach } from './stop-or-detach.ts';

type Where = Readonly<{
  access: LocalAccess;
  settings: Settings;
  context: Context;
  /** Whether the run goes on without this terminal. */
  canDetach: boolean;
}>;

/** A coordinator that is away longer has ended, and every run of its with it. */
const PATIENCE_MS = 3000;

/**
 * Shows a run of a coordinator from its beginning, answers its questions, and tells how it ended.
 *
 * @throws {UnavailableError} `coordinator-gone` where the coordinator ended before it
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
  const screen = openScreen(run, { ...where, client, reader, detach });
  const warn = (text: string): void => screen.note([line(as('warn', text))]);
  const steps = stopOrDetach({
    interrupts: context.interrupts,
    ask: (signal) => screen.askStop(signal),
    stop(mode) {
      screen.hint('stopping, Ctrl-C again stops processes now');
      warn(STOPPING[mode]);
      unlessRefused('unknown-run', client.stopRun({ id: run.id, mode })).catch(context.tellError);
    },
    detach,
  });
  const events: Event[] = [];
  const turns = createTurnAnswers(screen, client);
  const isOurs = createRunFilter(run);
  const news = followEvents(access, {
    query: context.flags.json ? {} : { output: 'none' },
    after: run.firstEvent,
    clock: context.clock,
    signal: left.signal,
    say: (what) => screen.note([line(muted(what))]),
    patienceMs: PATIENCE_MS,
  });
  let ending: Event | undefined;
  try {
    for await (const one of news) {
      if (one.kind === 'gap') warn('The beginning of this run is no longer kept; it goes on from here');
      const isNew = one.kind === 'gap' || (one.kind === 'event' && one.event.type === 'coordinator_started');
      if (isNew && (await client.getRun({ id: run.id })).state !== 'running') break;
      if (one.kind !== 'event' || !isOurs(one.event)) continue;
      if (one.event.type !== 'command_output') events.push(one.event);
      void screen.event(one.event);
      turns.hear(one.event);
      if (one.event.type !== 'run_ended') continue;
      ending = one.event;
      break;
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  } finally {
    left.abort();
    turns.close();
    steps.close();
    await screen.close();
  }
  if (isDetached) return tellDetached(run, context);
  if (ending === undefined) throw coordinatorGone(run);
  const exit = await tellRunEnd(run, events, { ...where, client, reader });
  return steps.exitCode() ?? exit;
}

const STOPPING = {
  graceful: 'Stopping: no new calls. What runs has 10 s; Ctrl-C again stops it now',
  force: 'Stopping every process now',
} as const;

function openScreen(
  run: RunView,
  {
    context,
    settings,
    client,
    reader,
    detach,
    canDetach,
  }: Where & Readonly<{ client: CoordinatorClient; reader: Reader; detach: () => void }>,
): RunScreen {
  const sessions = sessionsOf(run);
  const approvals = client.approvals((record) => sessions.has(record.context.sessionId));
  if (!context.terminal.live || context.flags.json)
    return createRunLog({ context, approvals, isolation: null, canDetach });
  return createRunScreen({
    context,
    store: reader.commands,
    startedAt: run.startedAt,
    onDetach: canDetach ? detach : null,
    asker: { approvals, isolation: null },
    budget: run.budgetUsd ?? settings.budget,
    talkative: context.flags.verbose > 0,
  });
}

function sessionsOf({ sessions, untilSession }: RunView): ReadonlySet<SessionId> {
  return new Set(untilSession === null ? sessions : [...sessions, untilSession]);
}

/** Events of the run, and those of the workspace as a whole; not what others do there. */
function createRunFilter(run: RunView): (event: Event) => boolean {
  const sessions = sessionsOf(run);
  const commands = new Set<string>();
  return (event) => {
    if ('runId' in event && event.type !== 'session_started') return event.runId === run.id;
    if ('sessionId' in event) {
      const isOurs = sessions.has(event.sessionId);
      if (isOurs && 'commandId' in event) commands.add(event.commandId);
      return isOurs;
    }
    return 'commandId' in event ? commands.has(event.commandId) : true;
  };
}

/** Asks about sessions that have used their turns, until somebody has answered or they have ended. */
function createTurnAnswers(
  screen: RunScreen,
  { grantTurns }: Pick<Client, 'grantTurns'>,
): Readonly<{ hear(event: Event): void; close(): void }> {
  const open = new Map<SessionId, AbortController>();

  async function ask(id: SessionId, question: Parameters<RunScreen['moreTurns']>[0]): Promise<void> {
    const more = await screen.moreTurns(question);
    // Somebody else may have answered.
    if (more !== null) await unlessRefused('turns-not-asked', grantTurns({ id, turns: more }));
  }

  return {
    hear(event) {
      if (event.type === 'turns_granted' || event.type === 'session_ended')
        open.get(event.sessionId)?.abort();
      if (event.type !== 'turns_requested') return;
      const { sessionId, provider, turns } = event;
      const answered = new AbortController();
      open.set(sessionId, answered);
      ask(sessionId, { provider, turns, signal: answered.signal }).catch((error: unknown) => {
        screen.note([
          line(as('danger', 'error'), `: ${error instanceof Error ? error.message : String(error)}`),
        ]);
      });
    },
    close() {
      for (const question of open.values()) question.abort();
    },
  };
}

function tellDetached({ id }: RunView, context: Context): ExitCode {
  context.json({ event: 'run.detached', run: id });
  context.say([
    line(
      'Detached: the run goes on. Come back with ',
      as('accent', `signalbox attach ${shortId(id)}`),
      muted(' · signalbox approve answers its questions'),
    ),
  ]);
  return EXIT.ok;
}

function coordinatorGone({ id }: RunView): UnavailableError {
  return new UnavailableError('coordinator-gone', 'Cannot follow the run: its coordinator has ended', {
    why: [`run ${id} ended with it; what ran then has an unknown outcome`],
    next: ['signalbox status', 'signalbox review   shows what was changed'],
  });
}
