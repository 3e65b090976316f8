import type { Event, EventType } from '@signalbox/core';
import type { Milestone } from './script.ts';

/** A milestone: an event of one of these types, from a command of that provider. */
export function isOf(
  types: EventType | readonly EventType[],
  command: { readonly provider: string; readonly tool?: string; readonly title?: string },
): Milestone {
  const wanted: readonly EventType[] = typeof types === 'string' ? [types] : types;
  return (event) =>
    wanted.includes(event.type) &&
    'provider' in event &&
    event.provider === command.provider &&
    'title' in event &&
    (command.title === undefined || event.title.includes(command.title)) &&
    // Not every event names the tool, but every title begins with it.
    (command.tool === undefined || event.title.split(' ')[0] === command.tool);
}

/** What has happened so far, and a wait for what has not. */
export type EventMilestones = {
  /** Records an event; wakes those waiting for it. */
  note(event: Event): void;
  /** Settles when the milestone has been seen, earlier or from now on; false if the signal aborted the wait. */
  reached(milestone: Milestone, signal: AbortSignal): Promise<boolean>;
};

export function createMilestones(): EventMilestones {
  const seen: Event[] = [];
  const waiting = new Set<(event: Event) => void>();
  return {
    note(event) {
      // Output is frequent and never a milestone.
      if (event.type === 'command_output') return;
      seen.push(event);
      for (const wake of waiting) wake(event);
    },
    reached(milestone, signal) {
      if (seen.some(milestone)) return Promise.resolve(true);
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const settle = (answer: boolean): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', stop);
          resolve(answer);
        };
        const wake = (event: Event): void => {
          if (milestone(event)) settle(true);
        };
        const stop = (): void => settle(false);
        waiting.add(wake);
        signal.addEventListener('abort', stop, { once: true });
      });
    },
  };
}
