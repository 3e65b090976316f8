import {
  type CommandId,
  type CommandRecord,
  type CommandResult,
  InvariantError,
  type JsonObject,
} from '@signalbox/core';
import { advance, type CommandEvent } from './command.machine.ts';
import { eventsOf, submittedEvent } from './command-events.ts';
import type { LifeParts } from './life-parts.ts';
import { createStopwatch } from './stopwatch.ts';

/** Keeps the present record of one command, and lets it change only by what the machine allows. */
export type RecordKeeper = {
  current(): CommandRecord;
  /** The call as people read it, before anything is stored; its arguments when nobody can judge them. */
  describe(title: string, args?: JsonObject): void;
  /**
   * Takes the steps of these events at once, all or none: stores the record and the events it makes.
   *
   * @throws {InvariantError} when the machine does not allow one of them now.
   */
  step(events: readonly CommandEvent[], blockers?: readonly CommandId[]): Promise<void>;
  /** For an ending that is not stored, or not by this process: whoever asks it is told of that all the same. */
  keepUnstored(result: CommandResult): void;
  /** The same result, timed by the monotonic clock. @param ran Whether it comes from an execution. */
  timed(result: CommandResult, ran?: boolean): CommandResult;
  /** The record as it would stand after these events. */
  preview(events: readonly CommandEvent[]): CommandRecord;
};

export function createRecordKeeper(
  first: CommandRecord,
  { store, clock, pid, withoutSecrets }: Pick<LifeParts, 'store' | 'clock' | 'pid' | 'withoutSecrets'>,
): RecordKeeper {
  const stopwatch = createStopwatch(first, clock);
  let record = first;

  function after(before: CommandRecord, event: CommandEvent): CommandRecord {
    const next = advance(before, event);
    if (next === null)
      throw new InvariantError(`Cannot take ${event.type} of ${first.id} in ${before.state}`);
    return next;
  }

  return {
    current: () => record,
    describe(title, args = record.call.args) {
      record = { ...record, title, call: { ...record.call, args } };
    },
    async step(events, blockers = []) {
      let next = record;
      const news = record.revision === 0 ? [submittedEvent(record)] : [];
      for (const event of events) {
        next = after(next, event);
        news.push(...eventsOf(next, event, { blockers, pid }));
      }
      next = { ...next, revision: record.revision + 1 };
      if (next.state === 'done') next = withoutSecrets(next);
      await store.commit(next, news);
      record = next;
      stopwatch.note(record);
    },
    timed: (result, ran = false) => stopwatch.timed(result, ran),
    keepUnstored(result) {
      record = withoutSecrets({ ...record, state: 'done', result, endedAt: result.endedAt });
    },
    preview: (events) => events.reduce(after, record),
  };
}
