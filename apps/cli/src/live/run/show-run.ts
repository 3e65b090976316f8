import type { ApiClient, RunView } from '@signalbox/api';
import {
  type CommandRecord,
  errorText,
  type Event,
  type EventId,
  type ProviderId,
  type SessionId,
  UnavailableError,
} from '@signalbox/core';
import { unlessRefused } from '../../client/send-to.ts';
import type { CoordinatorClient } from '../../client/coordinator-client.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { as, line, muted } from '../../terminal/line.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { followEvents } from '../../client/event-stream.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { createRunLog } from './run-log.ts';
import { createRunScreen, type RunScreen } from './run-screen.ts';

/** A coordinator that is away longer has ended. */
const PATIENCE_MS = 3000;

/** Shows a run: live if the terminal can, otherwise line by line. */
export function openRunScreen(
  run: RunView,
  {
    context,
    client,
    reader,
    onDetach,
    isVerbose = context.flags.verbose > 0,
    printsHowToAnswer = true,
  }: Readonly<{
    context: Context;
    client: CoordinatorClient;
    reader: Reader;
    /** Null if the run does not continue without this terminal. */
    onDetach: (() => void) | null;
    /** When live, print every read and everything models say. Default: from the flags. */
    isVerbose?: boolean;
    /** When line by line, print how to answer from another terminal. Default true. */
    printsHowToAnswer?: boolean;
  }>,
): RunScreen {
  const sessions = sessionsOf(run);
  const approvals = client.approvals((record) => sessions.has(record.context.sessionId));
  if (!isLive(context))
    return createRunLog({
      context,
      approvals,
      canDetach: onDetach !== null,
      printsHowToAnswer,
    });
  return createRunScreen({
    context,
    store: reader.commands,
    startedAt: run.startedAt,
    onDetach,
    approvals,
    async say({ to, text, interrupts }) {
      for (const { id } of to) await client.sayToSession({ id, text, interrupts });
    },
    budget: run.budgetUsd,
    isVerbose,
  });
}

/** Whether the run is shown on a live screen, where people can answer. */
export function isLive({ terminal, flags }: Pick<Context, 'terminal' | 'flags'>): boolean {
  return terminal.live && !flags.json;
}

/** How the events of a run ended. `seen`: id of the last one. */
export type RunShown = Readonly<{
  /** `over`: the run is; `left`: the signal was aborted; `lost`: nobody leads the run; `gone`: its coordinator is. */
  how: 'over' | 'left' | 'lost' | 'gone';
  seen: EventId;
}>;

/** Shows a run from its first event on, or after the one given. */
export async function showRun(
  run: RunView,
  {
    access,
    after,
    client,
    context,
    screen,
    withOutput,
    keys,
    signal,
    receive,
  }: Readonly<{
    access: LocalAccess;
    after: EventId;
    client: CoordinatorClient;
    context: Pick<Context, 'clock'>;
    screen: RunScreen;
    /** Whether its events include command output. */
    withOutput: boolean;
    /** API keys of a provider, for a session that waits for one. */
    keys: (provider: ProviderId) => Readonly<Record<string, string>>;
    /** Abort to detach. */
    signal: AbortSignal;
    /** Receives each event once the screen has it; `reported` settles when the screen shows it. */
    receive: (event: Event, reported: Promise<void>) => void;
  }>,
): Promise<RunShown> {
  const bringKeys = createKeyBringer(run, { screen, client, keys });
  const turns = createTurnAnswers(screen, client);
  const isOurs = createRunFilter(run);
  const update = followEvents(access, {
    query: withOutput ? {} : { output: 'none' },
    after,
    clock: context.clock,
    signal,
    say: (what) => screen.note([line(muted(what))]),
    patienceMs: PATIENCE_MS,
  });
  let seen = after;
  const shown = (how: RunShown['how']): RunShown => ({ how, seen });
  try {
    for await (const one of update) {
      if (one.kind === 'gap')
        screen.note([
          line(as('warn', 'The beginning of this run is no longer stored; it continues from here')),
        ]);
      const isNew = one.kind === 'gap' || (one.kind === 'event' && one.event.type === 'coordinator_started');
      if (isNew && (await client.getRun({ id: run.id })).state === 'lost') return shown('lost');
      if (one.kind !== 'event') continue;
      seen = one.event.id;
      if (!isOurs(one.event)) continue;
      receive(one.event, screen.event(one.event));
      turns.receive(one.event);
      if (one.event.type === 'session_waiting') bringKeys(one.event.provider);
      if (one.event.type === 'run_ended') return shown('over');
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  } finally {
    turns.close();
  }
  return shown(signal.aborted ? 'left' : 'gone');
}

/** More than a run can have. */
const MAX_COMMANDS = 100_000;

/** Records of all commands of a run, session by session. */
export async function recordsOf(run: RunView, { commands }: Reader): Promise<readonly CommandRecord[]> {
  const lists = await Promise.all(
    [...sessionsOf(run)].map((sessionId) => commands.list({ sessionId, limit: MAX_COMMANDS })),
  );
  return lists.flat();
}

function sessionsOf({ sessions, untilSession }: RunView): ReadonlySet<SessionId> {
  return new Set(untilSession === null ? sessions : [...sessions, untilSession]);
}

/** Passes events of the run and of the whole workspace, but not those of other sessions. */
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

/** Sends the keys that sessions wait for after a restart, if this terminal has them. */
function createKeyBringer(
  { id }: Pick<RunView, 'id'>,
  {
    screen,
    client,
    keys,
  }: Readonly<{
    screen: RunScreen;
    client: Pick<ApiClient, 'resumeRun'>;
    keys: (provider: ProviderId) => Readonly<Record<string, string>>;
  }>,
): (provider: ProviderId) => void {
  return (provider) => {
    const found = keys(provider);
    if (Object.keys(found).length === 0) return;
    // An event from before: the run may have ended since.
    unlessRefused('unknown-run', client.resumeRun({ id, keys: found })).catch((error: unknown) => {
      screen.note([line(as('danger', 'error'), `: ${errorText(error)}`)]);
    });
  };
}

/** Prompts for sessions that have used their turns, until answered or ended. */
function createTurnAnswers(
  screen: RunScreen,
  { grantTurns }: Pick<ApiClient, 'grantTurns'>,
): Readonly<{ receive(event: Event): void; close(): void }> {
  const open = new Map<SessionId, AbortController>();

  async function ask(id: SessionId, question: Parameters<RunScreen['moreTurns']>[0]): Promise<void> {
    const more = await screen.moreTurns(question);
    // It may have been answered elsewhere.
    if (more !== null) await unlessRefused('turns-not-asked', grantTurns({ id, turns: more }));
  }

  return {
    receive(event) {
      if (event.type === 'turns_granted' || event.type === 'session_ended')
        open.get(event.sessionId)?.abort();
      if (event.type !== 'turns_requested') return;
      const { sessionId, provider, turns, failure } = event;
      const answered = new AbortController();
      open.set(sessionId, answered);
      ask(sessionId, { provider, turns, failure, signal: answered.signal }).catch((error: unknown) => {
        screen.note([line(as('danger', 'error'), `: ${errorText(error)}`)]);
      });
    },
    close() {
      for (const question of open.values()) question.abort();
    },
  };
}
