import {
  type Clock,
  type CommandStore,
  createReadHashes,
  type ReadHashes,
  type SessionId,
} from '@signalbox/core';
import { createReadHashRestorer } from '../recovery/restore-read-hashes.ts';

/** Sessions whose read hashes are kept. */
const KEPT = 200;

/** What each session last saw of the files that it read or wrote. */
export type SessionReadHashes = {
  of(session: SessionId): ReadHashes;
  /** Restores a session that an earlier process led. */
  restore(session: SessionId): Promise<void>;
};

export function createSessionReadHashes(store: CommandStore, clock: Clock): SessionReadHashes {
  const restoreReadHashes = createReadHashRestorer(store, clock);
  const bySession = new Map<SessionId, ReadHashes>();
  return {
    of(session) {
      const known = bySession.get(session) ?? createReadHashes();
      bySession.delete(session);
      bySession.set(session, known);
      // A session that was dropped must read its files again before it writes them.
      for (const oldest of bySession.keys()) if (bySession.size > KEPT) bySession.delete(oldest);
      return known;
    },
    async restore(session) {
      if (bySession.has(session)) return;
      const restored = await restoreReadHashes(session);
      if (restored !== null) bySession.set(session, restored);
    },
  };
}
