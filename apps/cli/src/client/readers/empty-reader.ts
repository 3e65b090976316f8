import { NO_SESSION_STATS } from '@signalbox/coordinator';
import { type Mode, UnavailableError } from '@signalbox/core';
import type { Reader } from './reader.ts';

/**
 * A workspace without any records.
 *
 * @param mode The mode in which its first coordinator will start.
 */
export function emptyReader(mode: Mode, now: number): Reader {
  const nowhere = (): never => {
    throw new UnavailableError('no-records', 'Cannot follow: nothing has run here yet', {
      next: ['signalbox run "…"', 'signalbox demo'],
    });
  };
  return {
    commands: {
      list: async () => [],
      get: async () => null,
      find: async () => [],
      forgotten: async () => [],
      unfinished: async () => [],
      countUnfinished: async () => [],
    },
    page: async () => ({ commands: [], next: null }),
    history: async () => ({ commands: [], next: null }),
    queue: async () => ({
      snapshot: { waiting: [], leases: [] },
      counts: [],
      stuck: [],
      commands: new Map(),
    }),
    mode: async () => ({
      mode,
      since: now,
      by: 'configuration',
      reason: 'nothing has run here yet',
    }),
    stats: async () => ({
      providers: [],
      approvals: { granted: 0, refused: 0, expired: 0, cancelled: 0, medianAnswerMs: null },
      questions: [],
      remedy: null,
      busiestFile: null,
      ...NO_SESSION_STATS,
    }),
    session: async () => null,
    changesOf: async () => null,
    printed: async () => '',
    follow: nowhere,
    update: nowhere,
  };
}
