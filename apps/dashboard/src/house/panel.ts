import type { Event, EventId } from '@signalbox/core';
import type { ModeState, SessionView, Snapshot, WaitingView } from '@signalbox/api';
import { platesOf } from '../parts/plates.ts';
import { type Train, trainOf } from './train.ts';

/** All that the live screens know. Plain data: what does not change keeps its identity. */
export type Panel = Readonly<{
  workspace: string;
  version: string;
  you: Snapshot['you'];
  mode: ModeState;
  isolation: string;
  limits: Snapshot['limits'];
  trains: ReadonlyMap<string, Train>;
  sessions: ReadonlyMap<string, SessionView>;
  /** By session: what who works through the API or MCP says that it works on; null where nobody said. */
  tasks: ReadonlyMap<string, string | null>;
  /** Providers of the settings, and all that were seen; in the order in which they came. */
  providers: readonly string[];
  /** Those of the settings: a session can be started with each. */
  configured: readonly string[];
  /** By provider: the two characters that stand for it; a later provider changes none. */
  plates: ReadonlyMap<string, string>;
  /** What is worth a line in the list of events, newest first, at most 200. */
  feed: readonly Event[];
  /** Grows with each event that may have changed who waits for a person. */
  questions: number;
  /** Commands that wait behind those that the snapshot listed. */
  unlisted: number;
  /** Grows with each command that ended. */
  endings: number;
  lastEventId: EventId | null;
}>;

export function panelOf(snapshot: Snapshot): Panel {
  const waiting = new Map<string, WaitingView>(
    snapshot.queue.waiting.map((entry) => [entry.commandId, entry]),
  );
  const trains = snapshot.commands.map(trainOf).map((train): Train => {
    const entry = waiting.get(train.id);
    return entry === undefined ? train : { ...train, blockers: entry.blockers, claims: entry.claims };
  });
  const providers = [
    ...new Set([
      ...snapshot.sessions.filter(({ state }) => state === 'running').map(({ provider }) => provider),
      ...trains.map(({ provider }) => provider),
      ...snapshot.providers.map(({ id }) => id),
    ]),
  ].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return {
    workspace: snapshot.workspace,
    version: snapshot.version,
    you: snapshot.you,
    mode: snapshot.mode,
    isolation: snapshot.isolation,
    limits: snapshot.limits,
    trains: new Map(trains.toReversed().map((train) => [train.id, train])),
    sessions: new Map(snapshot.sessions.map((session) => [session.id, session])),
    tasks: new Map(
      snapshot.commands.flatMap(({ context: { sessionId, task } }) =>
        task === undefined ? [] : [[sessionId, task]],
      ),
    ),
    providers,
    configured: snapshot.providers.map(({ id }) => id),
    plates: platesOf(allNames(providers, snapshot.sessions)),
    feed: [],
    questions: 0,
    unlisted: Math.max(
      0,
      snapshot.queue.counts
        .filter(({ state }) => state === 'queued')
        .reduce((sum, { commands }) => sum + commands, 0) -
        trains.filter(({ state }) => state === 'queued').length,
    ),
    endings: 0,
    lastEventId: snapshot.lastEventId,
  };
}

/** Ended sessions have plates too: the Sessions page lists them. */
function allNames(providers: readonly string[], sessions: Snapshot['sessions']): readonly string[] {
  return [...new Set([...providers, ...sessions.map(({ provider }) => provider)])];
}
