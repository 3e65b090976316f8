import type { CommandId, Event, Level } from '@signalbox/core';
import type { WatchState } from './watch-state.ts';

/** How dangerous a command is, as far as this screen has heard; null where it has not. */
export function levelOf(
  { details, events }: Pick<WatchState, 'details' | 'events'>,
  id: CommandId,
): Level | null {
  const known = details.get(id)?.level ?? null;
  if (known !== null) return known;
  const judged = events.findLast((event) => event.type === 'command_classified' && event.commandId === id);
  return judged === undefined ? null : levelIn(judged);
}

export function levelIn(event: Event): Level | null {
  if (event.type === 'command_classified') return event.verdict.level;
  return event.type === 'approval_requested' ? event.level : null;
}
