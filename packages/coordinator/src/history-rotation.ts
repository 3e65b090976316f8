import type { SessionId } from '@signalbox/core';
import type { CoordinatorOptions } from './coordinator-options.ts';

/** Rotating the history costs a little, so it is done once in so many endings. */
const ROTATE_EVERY = 500;

/** A session that has been silent for so long is over, as far as the history goes. */
const SILENT_MS = 24 * 3_600_000;

/** Of the waiting ones so many are asked for their sessions: those of thousands have sent something today. */
const MOST_UNFINISHED = 1000;

const MB = 1024 ** 2;

/** Keeps the history to its age and size, and all of the sessions that live. */
export function createHistoryRotation({
  store,
  settings,
  clock,
  logger,
}: Pick<CoordinatorOptions, 'store' | 'settings' | 'clock' | 'logger'>): {
  now(): Promise<void>;
  onEnded(session: SessionId | undefined): void;
} {
  const { execution_history_limit, history_max_age, history_max_mb } = settings.execution;
  /** When the last command of each ended here. */
  const heard = new Map<SessionId, number>();
  let endings = 0;

  async function living(): Promise<readonly SessionId[]> {
    const unfinished = await store.unfinished({ limit: MOST_UNFINISHED });
    const silent = clock.now() - SILENT_MS;
    for (const [session, at] of heard) if (at < silent) heard.delete(session);
    return [...new Set([...heard.keys(), ...unfinished.map(({ context }) => context.sessionId)])];
  }

  async function rotate(): Promise<void> {
    await store.rotate({
      atLeast: execution_history_limit,
      since: clock.now() - history_max_age,
      maxBytes: history_max_mb * MB,
      spared: await living(),
    });
  }

  async function now(): Promise<void> {
    await rotate().catch((error: unknown) => {
      logger.warn({ error }, 'history not rotated');
    });
  }

  return {
    now,
    onEnded(session) {
      if (session !== undefined) heard.set(session, clock.now());
      endings += 1;
      if (endings % ROTATE_EVERY === 0) void now();
    },
  };
}
