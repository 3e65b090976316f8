import { type CommandRecord, type Event, shortId } from '@signalbox/core';
import { as, type Line, line } from '../screen/line.ts';

/** What to tell whoever looks at a question when somebody else has answered it, or nobody in time; null for other news. */
export function answeredElsewhere(event: Event, { id }: Pick<CommandRecord, 'id'>): Line | null {
  if (!('commandId' in event) || event.commandId !== id) return null;
  const how = howAnswered(event);
  return how === null ? null : line(as('warn', ' !'), ` ${shortId(id)} needs no answer any more: ${how}`);
}

function howAnswered(event: Event): string | null {
  if (event.type === 'command_approved' && event.by !== 'auto') {
    return `${event.by.name} approved it`;
  }
  if (event.type === 'command_denied') return event.reason;
  return event.type === 'command_cancelled' ? `it was cancelled (${event.reason})` : null;
}
