import {
  type Clock,
  type CommandRecord,
  type CommandStore,
  createReadHashes,
  type ReadHashes,
  type SessionId,
} from '@signalbox/core';

/** Ended commands that are considered. */
const MAX_COMMANDS = 1000;
/** How long the result of the query is reused: a recovery has tens of thousands of sessions. */
const KEPT_MS = 5000;

/**
 * Restores what sessions had read before a restart, from the files that the last {@link MAX_COMMANDS} ended commands
 * touched; texts are lost. Null for a session with none of them. The store is queried once for all sessions of one
 * recovery.
 */
export function createReadHashRestorer(
  store: Pick<CommandStore, 'list'>,
  clock: Pick<Clock, 'monotonic'>,
): (sessionId: SessionId) => Promise<ReadHashes | null> {
  let kept: { readonly at: number; readonly sessions: Promise<Sessions> } | undefined;

  function ended(): Promise<Sessions> {
    const now = clock.monotonic();
    if (kept === undefined || now - kept.at > KEPT_MS) {
      const sessions = store.list({ states: ['done'], limit: MAX_COMMANDS }).then(bySession);
      kept = { at: now, sessions };
      // Otherwise no command could be taken over until the failed query expires.
      sessions.catch(() => (kept = undefined));
    }
    return kept.sessions;
  }

  return async (sessionId) => {
    const records = (await ended()).get(sessionId);
    if (records === undefined) return null;
    const readHashes = createReadHashes();
    for (const { result } of records.toReversed()) {
      // For a program these are files it wrote, which its session has not seen.
      if ((result?.isolation ?? null) !== null) continue;
      for (const { path, hash } of result?.files ?? []) readHashes.note(path, { hash, text: null });
    }
    return readHashes;
  };
}

type Sessions = ReadonlyMap<SessionId, readonly CommandRecord[]>;

function bySession(records: readonly CommandRecord[]): Sessions {
  return Map.groupBy(records, ({ context }) => context.sessionId);
}
