import type {
  Clock,
  CommandStore,
  Counters,
  EventLog,
  Facts,
  Logger,
  RandomBytes,
  RunStore,
  Scheduler,
  SchedulerLimits,
} from '@signalbox/core';
import { createCommandStore } from './command-store.ts';
import { createCounters } from './counters.ts';
import { openDatabase } from './database.ts';
import { createEventLog } from './event-log.ts';
import { createFacts } from './facts.ts';
import { createFencingTokens } from './fencing-tokens.ts';
import { createRunStore } from './run-store.ts';
import { createScheduler } from './scheduler.ts';

export type EmbeddedBackend = {
  readonly scheduler: Scheduler;
  readonly store: CommandStore;
  readonly runStore: RunStore;
  readonly events: EventLog;
  readonly counters: Counters;
  readonly facts: Facts;
  /** Stops the timers and closes the file. Release the leases first. Closing twice does nothing. */
  close(): Promise<void>;
};

export type EmbeddedBackendOptions = {
  /** The workspace's `.signalbox`, created if missing, accessible to its owner only. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly limits: SchedulerLimits;
  readonly logger: Logger;
  /** The highest fencing token in the audit log; new tokens are above it. Default 0. */
  readonly fencingAbove?: number;
  /** Minimum number of events kept. Default 100,000. */
  readonly keepEvents?: number;
};

/**
 * The ports for one process, stored in `state.db` of the folder. Hold the workspace lock while it is open: the
 * scheduler of another process would not know of these leases.
 *
 * @throws {UnavailableError} as `openDatabase`
 */
export async function createEmbeddedBackend(options: EmbeddedBackendOptions): Promise<EmbeddedBackend> {
  const { clock, random, limits, logger, keepEvents, fencingAbove } = options;
  const database = openDatabase(options.folder);
  const events = createEventLog({
    database,
    clock,
    logger,
    ...(keepEvents === undefined ? {} : { keep: keepEvents }),
  });
  const facts = createFacts(database);
  const fencingTokens = createFencingTokens(facts, fencingAbove);
  const scheduler = createScheduler({ limits, clock, random, nextFencingToken: fencingTokens.next });
  let open = true;
  return {
    scheduler,
    store: createCommandStore(database, events),
    runStore: createRunStore(database, events),
    events,
    counters: createCounters(database, clock),
    facts,
    async close() {
      if (!open) return;
      open = false;
      scheduler.close();
      fencingTokens.close();
      database.close();
    },
  };
}
