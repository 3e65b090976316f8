import type { Event } from '@signalbox/core';
import { type Snapshot, type WorkspaceState, workspaceStateOf } from '@signalbox/api';
import { platesOf } from '../parts/plates.ts';

/** Everything the live screens know. Plain data: unchanged parts keep their identity. */
export type Panel = WorkspaceState &
  Readonly<{
    /** By session: the reported task of an API or MCP client; null without one. */
    tasks: ReadonlyMap<string, string | null>;
    /** Providers of the settings, and all others seen; in order of appearance. */
    providers: readonly string[];
    /** Those of the settings: each can start a session. */
    configured: Snapshot['providers'];
    /** The workspace's own test line: the default check of a new session. */
    tests: Snapshot['tests'];
    /** By provider: its two characters; a later provider changes none. */
    plates: ReadonlyMap<string, string>;
    /** Events worth a row in the list, newest first, at most 200. */
    feed: readonly Event[];
    /** Grows with each event that may have changed the pending approvals. */
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
