import type { Event } from '@signalbox/core';

/** What a terminal hears of a workspace while it happens. */
export type News =
  /** The first: what happens from here on is told, each event once and in order. */
  | Readonly<{ kind: 'begun' }>
  | Readonly<{ kind: 'event'; event: Event }>
  /** What happened in between is no longer told: look at how it stands. */
  | Readonly<{ kind: 'gap' }>;

/** The event with which a command is done. */
export function isEnding({ type }: Event): boolean {
  return ENDINGS.has(type);
}

const ENDINGS: ReadonlySet<Event['type']> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);
