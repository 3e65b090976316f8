import {
  type Clock,
  type CommandStore,
  createReadings,
  type Readings,
  type SessionId,
} from '@signalbox/core';
import { createReadingsRestorer } from '../recovery/restore-readings.ts';

/** Sessions whose readings are kept. */
const KEPT = 200;

/** What each session last saw of the files that it read or wrote. */
export type SessionReadings = {
  of(session: SessionId): Readings;
  /** Of a session that a process before this one led. */
  restore(session: SessionId): Promise<void>;
};

export function createSessionReadings(store: CommandStore, clock: Clock): SessionReadings {
  const restoreReadings = createReadingsRestorer(store, clock);
  const bySession = new Map<SessionId, Readings>();
  return {
    of(session) {
      const known = bySession.get(session) ?? createReadings();
      bySession.delete(session);
      bySession.set(session, known);
      // A session that comes back after so many others reads its files again before it writes them.
      for (const oldest of bySession.keys()) if (bySession.size > KEPT) bySession.delete(oldest);
      return known;
    },
    async restore(session) {
      if (bySession.has(session)) return;
      const restored = await restoreReadings(session);
      if (restored !== null) bySession.set(session, restored);
    },
  };
}
