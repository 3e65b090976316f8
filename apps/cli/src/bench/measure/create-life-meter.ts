import type { CommandId, Event } from '@signalbox/core';
import { type Quantiles, quantiles } from './quantiles.ts';

/** Follows commands through the house by its events, wherever they are led. */
export type LifeMeter = Readonly<{
  hear(event: Event): void;
  /** Times are of those that started, or ended, since the look before. */
  look(): Readonly<{ waiting: number; conflicts: number; startMs: Quantiles; workMs: Quantiles }>;
}>;

type Life = { readonly submittedAt: number; startedAt: number | null };

const ENDINGS: ReadonlySet<Event['type']> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

export function createLifeMeter(): LifeMeter {
  const lives = new Map<CommandId, Life>();
  const waiting = new Set<CommandId>();
  let conflicts = 0;
  let toStart: number[] = [];
  let toEnd: number[] = [];

  function queue(id: CommandId, isConflict: boolean): void {
    waiting.add(id);
    if (isConflict) conflicts += 1;
  }

  function start(id: CommandId, at: number): void {
    waiting.delete(id);
    const life = lives.get(id);
    // A shell line waits a second time, for what it has written: it has started long before.
    if (life === undefined || life.startedAt !== null) return;
    life.startedAt = at;
    toStart.push(at - life.submittedAt);
  }

  function end(id: CommandId, at: number): void {
    const startedAt = lives.get(id)?.startedAt ?? null;
    if (startedAt !== null) toEnd.push(at - startedAt);
    waiting.delete(id);
    lives.delete(id);
  }

  return {
    hear(event) {
      if (event.type === 'command_submitted')
        lives.set(event.commandId, { submittedAt: event.at, startedAt: null });
      if (event.type === 'command_queued') queue(event.commandId, event.blockers.length > 0);
      if (event.type === 'command_started') start(event.commandId, event.at);
      if (ENDINGS.has(event.type) && 'commandId' in event) end(event.commandId, event.at);
    },
    look() {
      const seen = {
        waiting: waiting.size,
        conflicts,
        startMs: quantiles(toStart),
        workMs: quantiles(toEnd),
      };
      toStart = [];
      toEnd = [];
      return seen;
    },
  };
}
