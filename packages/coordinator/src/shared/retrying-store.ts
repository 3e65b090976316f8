import {
  type Clock,
  type CommandRecord,
  type CommandStore,
  type Logger,
  type Nodes,
  RevisionError,
  UnavailableError,
} from '@signalbox/core';

const AGAIN_AFTER_MS = 250;

export type RetryingStore = CommandStore & {
  /**
   * Waits until the store can be reached and the other members regard this one as living.
   *
   * @throws {RevisionError} when that record is another coordinator's by now
   */
  confirmOwn(record: CommandRecord): Promise<void>;
};

/**
 * A store whose commits wait while it can't be reached, because accepted commands must complete. Only a command's first
 * commit is rejected at once.
 *
 * A commit whose reply was lost may have succeeded: then the stored record decides.
 *
 * @param options.signal aborted to end every wait
 */
export function createRetryingStore(
  store: CommandStore,
  options: {
    readonly members: Pick<Nodes, 'isCurrent'>;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly signal: AbortSignal;
  },
): RetryingStore {
  const { members, clock, logger, signal } = options;

  async function isStored({ id, owner, revision }: CommandRecord): Promise<boolean> {
    const stored = await store.get(id);
    return stored !== null && stored.owner === owner && stored.revision === revision;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.timer(AGAIN_AFTER_MS, end);
      signal.addEventListener('abort', end, { once: true });
      function end(): void {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      }
    });
  }

  /** Null while it is unknown. */
  async function isOwn({ id, owner, revision }: CommandRecord): Promise<boolean | null> {
    if (!members.isCurrent() && !signal.aborted) return null;
    const stored = await store.get(id).catch((error: unknown) => {
      if (error instanceof UnavailableError && !signal.aborted) return undefined;
      throw error;
    });
    if (stored === undefined) return null;
    return stored?.owner === owner && stored?.revision === revision;
  }

  return {
    ...store,
    async confirmOwn(record) {
      if (record.revision === 0) return;
      for (;;) {
        const own = await isOwn(record);
        if (own === false)
          throw new RevisionError(`Cannot end ${record.id}: another coordinator leads it now`);
        if (own === true && (members.isCurrent() || signal.aborted)) return;
        await pause();
      }
    },
    async commit(record, events) {
      for (let tries = 1; ; tries++) {
        try {
          return await store.commit(record, events);
        } catch (error) {
          if (error instanceof RevisionError && tries > 1 && (await isStored(record).catch(() => false)))
            return undefined;
          if (!(error instanceof UnavailableError) || record.revision === 1 || signal.aborted) throw error;
          if (tries === 1) logger.warn({ commandId: record.id, error }, 'record not stored yet');
          await pause();
        }
      }
    },
  };
}
