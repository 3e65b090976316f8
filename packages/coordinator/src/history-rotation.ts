import type { CoordinatorOptions } from './coordinator-options.ts';

/** Rotating the history costs a little, so it is done once in so many endings. */
const ROTATE_EVERY = 500;

/** Keeps the history to its length. */
export function createHistoryRotation({
  store,
  settings,
  logger,
}: Pick<CoordinatorOptions, 'store' | 'settings' | 'logger'>): { now(): Promise<void>; onEnded(): void } {
  let endings = 0;

  async function now(): Promise<void> {
    await store.rotate(settings.execution.execution_history_limit).catch((error: unknown) => {
      logger.warn({ error }, 'history not rotated');
    });
  }

  return {
    now,
    onEnded() {
      endings += 1;
      if (endings % ROTATE_EVERY === 0) void now();
    },
  };
}
