import {
  type Clock,
  type CommandRecord,
  type CommandStore,
  createReadHashes,
  type ReadHashes,
  type SessionId,
} from '@signalbox/core';

/** Ended commands that are looked back at. */
const LOOKS_BACK = 1000;
/** How long what was read of the store serves for other sessions: tens of thousands come in one recovery. */
const KEPT_MS = 5000;

/**
 * What sessions had read before a restart, from the files that the last {@link LOOKS_BACK} ended commands touched; texts
 * are gone. Null for a session of none of them. The store is asked once for all sessions of one recovery.
 */
export function createReadHashRestorer(
  store: Pick<CommandStore, 'list'>,
  clock: Pick<Clock, 'monotonic'>,
): (sessionId: SessionId) => Promise<ReadHashes | null> {
  let kept: { readonly at: number; readonly sessions: Promise<Sessions> } | undefined;

  function ended(): Promise<Sessions> {
    const now = clock.monotonic();
    if (kept === undefined || now - kept.at > KEPT_MS) {
      const sessions = store.list({ states: ['done'], limit: LOOKS_BACK }).then(bySession);
      kept = { at: now, sessions };
      // Else nobody's commands could be taken over until it is old.
      sessions.catch(() => (kept = undefined));
    }
    return kept.sessions;
  }

  return async (sessionId) => {
    const records = (await ended()).get(sessionId);
    if (records === undefined) return null;
    const readHashes = createReadHashes();
    for (const { result } of records.toReversed()) {
      // Of a program it is what the program wrote, which its session has not seen.
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
