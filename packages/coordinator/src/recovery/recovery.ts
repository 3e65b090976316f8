import { setImmediate } from 'node:timers/promises';
import type { CommandRecord, CommandStore, EventLog, Logger, NewEvent } from '@signalbox/core';

/** Up to this many are recovered before anything else happens; more are recovered while other requests are answered. */
const AT_ONCE = 200;
/** Each of the hundreds of start-up steps waits for one slice: some 10 ms, at about a millisecond per command. */
const SLICE = 10;
/** A client that starts a coordinator may read these slowly, from a pipe of 64 KiB. */
const MAX_REPORTED = 20;

export type RecoveryProgress = { readonly done: number; readonly of: number };

/** Recovery of the commands that an earlier process left. */
export type Recovery = {
  /** Resolves with the number of recovered commands when all are recovered, or it was stopped. */
  readonly over: Promise<number>;
  /** Resolves when new commands may enter the queue behind the earlier ones; never rejects. */
  ready(): Promise<void>;
  /** Null when it is over. */
  progress(): RecoveryProgress | null;
  /** Stops the recovery; remaining commands stay for the next start. */
  stop(): Promise<void>;
};

/**
 * Recovers unfinished commands in the order they were submitted. Tens of thousands are recovered in slices, so that the
 * coordinator answers and can be stopped meanwhile. The call resolves when all are recovered if there are few, and
 * otherwise at once.
 */
export async function startRecovery(parts: {
  readonly store: Pick<CommandStore, 'eachUnfinished' | 'countUnfinished'>;
  /**
   * Receives unreadable records, which are skipped, and a failure at one of more than 200 commands that prevented the
   * recovery of the others; with fewer the call rejects.
   */
  readonly events: Pick<EventLog, 'append'>;
  readonly logger: Logger;
  readonly takeUp: (record: CommandRecord) => Promise<void>;
  /** Replaces the two above if several coordinators share the recovery. */
  readonly takeOver?: ((onUnreadable: (id: string, cause: unknown) => void) => Promise<number>) | undefined;
  /** Called once, when the last is recovered or one of them failed: before `complete`. Optional. */
  readonly onOver?: () => void;
  /** Final steps of a start, once all are recovered. */
  readonly complete: (recovered: number) => Promise<void>;
  /** Called for more than 200 commands: before the first is read, then at most 20 times more. */
  readonly onProgress?: ((progress: RecoveryProgress) => void) | undefined;
}): Promise<Recovery> {
  const { onOver = () => undefined, onProgress = () => undefined } = parts;
  const { store, events, logger, takeUp, takeOver, complete } = parts;
  const counts = await store.countUnfinished();
  const of = counts.reduce((sum, { commands }) => sum + commands, 0);
  const reportEvery = Math.ceil(of / MAX_REPORTED / AT_ONCE) * AT_ONCE;
  const unreadable: string[] = [];
  let done = 0;
  let isStopped = false;
  let isOver = false;

  async function takeUpAll(): Promise<number> {
    const skip = (id: string, error: unknown): void => {
      unreadable.push(id);
      logger.error({ commandId: id, error }, 'record of a command not readable');
    };
    if (takeOver !== undefined) done = await takeOver(skip);
    else
      await store.eachUnfinished(async (record) => {
        if (isStopped) return false;
        await takeUp(record);
        done += 1;
        if (of > AT_ONCE && done % reportEvery === 0) onProgress({ done, of });
        if (done % SLICE === 0) await setImmediate();
        return true;
      }, skip);
    if (unreadable.length > 0) await publish(warningOfUnreadable(unreadable));
    return done;
  }

  async function publish(warning: Warning): Promise<void> {
    await events
      .append([warning])
      .catch((cause: unknown) => logger.warn({ error: cause }, 'warning not published'));
  }

  async function recover(): Promise<number> {
    const recovered = await takeUpAll().finally(() => {
      isOver = true;
      onOver();
    });
    await complete(recovered);
    return recovered;
  }

  if (of > AT_ONCE) onProgress({ done, of });
  const over = recover();
  const settled = over.then(
    () => undefined,
    async (error: unknown) => {
      logger.error({ error }, 'recovery not complete');
      if (of > AT_ONCE) await publish(warningOf({ done, of }));
    },
  );
  if (of <= AT_ONCE) await over;
  else logger.info({ commands: of }, 'recovery of many commands continues in the background');
  return {
    over,
    progress: () => (isOver ? null : { done, of }),
    async ready() {
      // Several coordinators keep no order among the commands they take over.
      if (!isOver && takeOver === undefined) await settled;
    },
    async stop() {
      isStopped = true;
      await settled;
    },
  };
}

type Warning = Extract<NewEvent, { type: 'warning_raised' }>;

const MAX_NAMED = 5;

function warningOfUnreadable(ids: readonly string[]): Warning {
  const more = ids.length - MAX_NAMED;
  const named = `${ids.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return {
    type: 'warning_raised',
    code: 'record-unreadable',
    message: `Cannot read the records of earlier commands, which will not run (${ids.length}): ${named}`,
    next: ['signalbox logs   shows the cause', 'send the calls again if they are still needed'],
  };
}

function warningOf({ done, of }: RecoveryProgress): Warning {
  return {
    type: 'warning_raised',
    code: 'recovery-not-complete',
    message: `Recovered ${done} of ${of} earlier commands; the others wait and are not run`,
    next: ['signalbox logs   shows what stopped it', 'signalbox stop   the next start tries again'],
  };
}
