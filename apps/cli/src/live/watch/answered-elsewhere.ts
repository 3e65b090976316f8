import { type CommandRecord, type Event, shortId } from '@signalbox/core';
import { as, type Line, line } from '../../terminal/line.ts';

/** Message for a user who sees an approval that was answered elsewhere or expired; null for other events. */
export function answeredElsewhere(event: Event, { id }: Pick<CommandRecord, 'id'>): Line | null {
  if (!('commandId' in event) || event.commandId !== id) return null;
  const how = howAnswered(event);
  return how === null ? null : line(as('warn', ' !'), ` ${shortId(id)} closed: ${how}`);
}

function howAnswered(event: Event): string | null {
  if (event.type === 'command_approved' && event.by !== 'auto') {
    return `approved by ${event.by.name}`;
  }
  if (event.type === 'question_answered') return `answered by ${event.by.name}`;
  if (event.type === 'command_denied') return event.reason;
  return event.type === 'command_cancelled' ? `cancelled (${event.reason})` : null;
}
