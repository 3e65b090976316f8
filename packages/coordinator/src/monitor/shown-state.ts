import {
  type Clock,
  type CommandStore,
  type EventLog,
  type Facts,
  type LastKnown,
  type Scheduler,
  type SchedulerSnapshot,
  type Settings,
  UnavailableError,
} from '@signalbox/core';
import type { ModeState } from '../coordinator-api.ts';
import { createModeService } from '../mode/mode-service.ts';
import { readQueue } from './queue-of-records.ts';

/**
 * State for display: the current one or, while the backend is unreachable, the last known one. Nothing is decided by
 * it.
 */
export type ShownState = {
  readonly store: CommandStore;
  /** While the backend is reachable: leases and waiting commands, derived from the commands. */
  queue(max?: number): Promise<SchedulerSnapshot>;
  mode(): Promise<ModeState>;
};

export function createShown(options: {
  readonly store: CommandStore;
  readonly facts: Facts;
  readonly events: EventLog;
  readonly scheduler: Pick<Scheduler, 'snapshot'>;
  readonly lastKnown?: LastKnown | null | undefined;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'mode'>;
}): ShownState {
  const { scheduler, lastKnown, clock, events, settings } = options;
  const { store, facts } = lastKnown ?? options;

  async function queue(max?: number): Promise<SchedulerSnapshot> {
    if (lastKnown == null) return scheduler.snapshot(max);
    if (lastKnown.away() !== null) return readQueue(lastKnown, max);
    return scheduler.snapshot(max).catch((error: unknown) => {
      if (error instanceof UnavailableError) return readQueue(lastKnown, max);
      throw error;
    });
  }

  const { current: mode } = createModeService({ facts, events, clock, initial: settings.mode });
  return { store, queue, mode };
}
