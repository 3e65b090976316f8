import type { CommandId, CommandRecord, NewEvent } from '@signalbox/core';
import { advance, type CommandEvent } from './command.machine.ts';
import { eventsOf } from './command-events.ts';
import type { LifeParts } from './life-parts.ts';

/** Keeps the present record of one command, and lets it change only by what the machine allows. */
export type RecordKeeper = {
  current(): CommandRecord;
  /** The call as people read it, before anything is stored. */
  entitle(title: string): void;
  /**
   * Takes the steps of these events at once, all or none: stores the record and the events it makes, after
   * `told`. False when the machine does not allow one of them now: somebody else was faster.
   */
  step(
    events: readonly CommandEvent[],
    told?: readonly NewEvent[],
    blockers?: readonly CommandId[],
  ): Promise<boolean>;
  /** The record as it would stand after events that come before an ending. */
  preview(events: readonly CommandEvent[]): CommandRecord;
};

export function createRecordKeeper(
  first: CommandRecord,
  { store, withoutSecrets }: Pick<LifeParts, 'store' | 'withoutSecrets'>,
): RecordKeeper {
  let record = first;
  return {
    current: () => record,
    entitle: (title) => (record = { ...record, title }),
    async step(events, told = [], blockers = []) {
      let next = record;
      const news = [...told];
      for (const event of events) {
        const after = advance(next, event);
        if (after === null) return false;
        next = after;
        news.push(...eventsOf(next, event, blockers));
      }
      next = { ...next, revision: record.revision + 1 };
      if (next.state === 'done') next = withoutSecrets(next);
      await store.commit(next, news);
      record = next;
      return true;
    },
    preview: (events) => events.reduce((state, event) => advance(state, event) ?? state, record),
  };
}
