import type { Event } from '@signalbox/core';
import { type Snapshot, type WorkspaceState, workspaceStateOf } from '@signalbox/api';
import { platesOf } from '../parts/plates.ts';

/** All that the live screens know. Plain data: what does not change keeps its identity. */
export type Panel = WorkspaceState &
  Readonly<{
    /** By session: what who works through the API or MCP says that it works on; null where nobody said. */
    tasks: ReadonlyMap<string, string | null>;
    /** Providers of the settings, and all that were seen; in the order in which they came. */
    providers: readonly string[];
    /** Those of the settings: a session can be started with each. */
    configured: Snapshot['providers'];
    /** The workspace's own line for its tests: what a new session is checked by unless told otherwise. */
    tests: Snapshot['tests'];
    /** By provider: the two characters that stand for it; a later provider changes none. */
    plates: ReadonlyMap<string, string>;
    /** What is worth a line in the list of events, newest first, at most 200. */
    feed: readonly Event[];
    /** Grows with each event that may have changed who waits for a person. */
    questions: number;
    /** Grows with each command that ended. */
    endings: number;
  }>;

export function panelOf(snapshot: Snapshot): Panel {
  const state = workspaceStateOf(snapshot);
  const providers = [
    ...new Set([
      ...snapshot.sessions.filter((session) => session.state === 'running').map(({ provider }) => provider),
      ...snapshot.commands.map(({ context }) => context.provider),
      ...snapshot.providers.map(({ id }) => id),
    ]),
  ].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return {
    ...state,
    tasks: new Map(
      snapshot.commands.flatMap(({ context: { sessionId, task } }) =>
        task === undefined ? [] : [[sessionId, task]],
      ),
    ),
    providers,
    configured: snapshot.providers,
    tests: snapshot.tests,
    plates: platesOf(allNames(providers, snapshot.sessions)),
    feed: [],
    questions: 0,
    endings: 0,
  };
}

/** Ended sessions have plates too: the Sessions page lists them. */
function allNames(providers: readonly string[], sessions: Snapshot['sessions']): readonly string[] {
  return [...new Set([...providers, ...sessions.map(({ provider }) => provider)])];
}
