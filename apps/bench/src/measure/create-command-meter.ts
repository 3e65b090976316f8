import { type CommandSummary, summaryAfter } from '@signalbox/api';
import type { Event } from '@signalbox/core';
import { type Quantiles, quantiles } from './quantiles.ts';

/** Follows commands by the coordinator's events, whichever process leads them. */
export type CommandMeter = Readonly<{
  observe(event: Event): void;
  /** Times are of commands that started, or ended, since the last call. */
  take(): Readonly<{ waiting: number; conflicts: number; startMs: Quantiles; workMs: Quantiles }>;
}>;

export function createCommandMeter(): CommandMeter {
  /** Unfinished commands. */
  const commands = new Map<string, CommandSummary>();
  /** First starts: a shell line that is queued again to commit its changes has started before. */
  const startedAt = new Map<string, number>();
  let conflicts = 0;
  let toStart: number[] = [];
  let toEnd: number[] = [];

  function end({ id, endedAt }: CommandSummary): void {
    const began = startedAt.get(id);
    if (began !== undefined && endedAt !== null) toEnd.push(endedAt - began);
    startedAt.delete(id);
    commands.delete(id);
  }

  return {
    observe(event) {
      if (!('commandId' in event)) return;
      const before = commands.get(event.commandId);
      const command = summaryAfter(before, event);
      if (command === undefined || (before === undefined && event.type !== 'command_submitted')) return;
      commands.set(command.id, command);
      if (command.blockers.length > 0 && event.type === 'command_queued') conflicts += 1;
      if (command.startedAt !== null && !startedAt.has(command.id)) {
        startedAt.set(command.id, command.startedAt);
        toStart.push(command.startedAt - command.submittedAt);
      }
      if (command.state === 'done') end(command);
    },
    take() {
      const taken = {
        waiting: [...commands.values()].filter(({ state }) => state === 'queued').length,
        conflicts,
        startMs: quantiles(toStart),
        workMs: quantiles(toEnd),
      };
      toStart = [];
      toEnd = [];
      return taken;
    },
  };
}
