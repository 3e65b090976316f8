import {
  type Clock,
  type Event,
  type Json,
  type Logger,
  type NewEvent,
  type NodeId,
  RevisionError,
  type RunChange,
  type RunStore,
  UnavailableError,
} from '@signalbox/core';
import { leaveRun, type LedRun } from './led-run.ts';
import { RUN_PART } from './run-record.ts';
import type { SessionJournal } from '../session-journal.ts';

const AGAIN_AFTER_MS = 250;

/** Parts of a run by session, and the events that go with them. */
export type StoredStep = {
  readonly parts?: Readonly<Record<string, Json>>;
  readonly events?: readonly NewEvent[];
};

/** Stores the steps of runs. */
export type RunWriter = {
  /** @throws {UnavailableError} when it can't be stored: the run must not begin */
  begin(run: LedRun, event: NewEvent): Promise<Event | null>;
  /**
   * Stores these parts, the run's own record and the events. Waits while the backend is away, unless the run is
   * stopped.
   *
   * @throws {RevisionError} when another coordinator leads the run: nothing of it may happen here any more
   */
  save(run: LedRun, stored: StoredStep): Promise<void>;
  /** Removes the run. Never fails. */
  end(run: LedRun, event: NewEvent): Promise<void>;
};

export function createRunWriter(parts: {
  readonly runStore: RunStore;
  readonly owner: NodeId | null;
  readonly journal: SessionJournal;
  /** Nothing is stored of the run any more, although this coordinator leads it. */
  readonly onRemoved: (run: LedRun) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}): RunWriter {
  const { runStore, owner, journal, clock, logger } = parts;
  const over = new WeakSet<LedRun>();

  function changeOf(run: LedRun, kind: RunChange['kind'], more: Readonly<Record<string, Json>>): RunChange {
    run.record = { ...run.record, spentUsd: run.budget.spentUsd() };
    const record = JSON.parse(JSON.stringify(run.record)) as Json;
    return { id: run.id, owner, kind, parts: { ...more, [RUN_PART]: record } };
  }

  async function commit(
    run: LedRun,
    { change, events }: { readonly change: RunChange; readonly events: readonly NewEvent[] },
  ): Promise<void> {
    for (let tries = 1; !run.isLeft && !over.has(run); tries += 1) {
      try {
        await runStore.commit(change, events);
        return;
      } catch (error) {
        if (error instanceof RevisionError) await giveUp(run);
        if (!(error instanceof UnavailableError)) throw error;
        if (tries === 1) logger.warn({ error, runId: run.id }, 'step of a run not stored yet');
        if (run.stopping.signal.aborted) return journal.tell(...events);
        await pause(run.stopping.signal);
      }
    }
  }

  async function giveUp(run: LedRun): Promise<void> {
    if (run.isLeft) return;
    run.isLeft = true;
    const stored = await runStore.unfinished().catch(() => null);
    if (stored?.every(({ id }) => id !== run.id) === true) return parts.onRemoved(run);
    logger.warn({ runId: run.id }, 'another coordinator leads this run now');
    leaveRun(run);
  }

  function pause(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.timer(AGAIN_AFTER_MS, end);
      stop.addEventListener('abort', end, { once: true });
      function end(): void {
        cancel();
        stop.removeEventListener('abort', end);
        resolve();
      }
    });
  }

  return {
    async begin(run, event) {
      const [stored = null] = await runStore.commit(changeOf(run, 'begun', {}), [event]);
      return stored;
    },
    save: (run, { parts: more = {}, events = [] }) =>
      commit(run, { change: changeOf(run, 'changed', more), events }),
    async end(run, event) {
      try {
        await commit(run, { change: changeOf(run, 'over', {}), events: [event] });
      } catch (error) {
        logger.error({ error, runId: run.id }, 'end of a run not stored');
      } finally {
        over.add(run);
      }
    },
  };
}
