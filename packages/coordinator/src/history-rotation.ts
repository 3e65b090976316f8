import { SessionId } from '@signalbox/core';
import type { CoordinatorOptions } from './coordinator-options.ts';

/** Rotating the history has a cost, so it runs once per this many ended commands. */
const ROTATE_EVERY = 500;

/** A session silent for this long counts as over for the history. */
const SILENT_MS = 24 * 3_600_000;

/** Unfinished commands whose sessions are read: any further sessions have sent something within the day. */
const MAX_UNFINISHED = 1000;

const MB = 1024 ** 2;

/** Keeps the history within its age and size, and everything of living sessions. */
export function createHistoryRotation({
  store,
  runStore,
  settings,
  clock,
  logger,
}: Pick<CoordinatorOptions, 'store' | 'runStore' | 'settings' | 'clock' | 'logger'>): {
  now(): Promise<void>;
  onEnded(session: SessionId | undefined): void;
} {
  const { execution_history_limit, history_max_age, history_max_mb } = settings.execution;
  /** When the last command of each session ended here. */
  const endedAt = new Map<SessionId, number>();
  let endings = 0;

  async function living(): Promise<readonly SessionId[]> {
    const unfinished = await store.unfinished({ limit: MAX_UNFINISHED });
    const silent = clock.now() - SILENT_MS;
    for (const [session, at] of endedAt) if (at < silent) endedAt.delete(session);
    const ofCommands = unfinished.map(({ context }) => context.sessionId);
    return [...new Set([...endedAt.keys(), ...ofCommands, ...(await ofRuns())])];
  }

  /** A session that a process left reads the results of its last calls when it goes on. */
  async function ofRuns(): Promise<readonly SessionId[]> {
    const runs = (await runStore?.unfinished()) ?? [];
    return runs.flatMap(({ parts }) =>
      Object.keys(parts).flatMap((name) => SessionId.safeParse(name).data ?? []),
    );
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
      if (session !== undefined) endedAt.set(session, clock.now());
      endings += 1;
      if (endings % ROTATE_EVERY === 0) void now();
    },
  };
}
