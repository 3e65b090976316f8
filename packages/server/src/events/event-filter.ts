import type { EventFilter } from '@signalbox/api';
import type { Event } from '@signalbox/core';
export function createEventTest(filter: EventFilter): (event: Event) => boolean {
  const types = filter.types === undefined ? null : new Set(filter.types.split(','));
  return (event) => {
    if (event.type === 'command_output' && !wantsOutput(filter.output, event.commandId)) return false;
    if (types !== null && !types.has(event.type)) return false;
    if (filter.provider !== undefined && (!('provider' in event) || event.provider !== filter.provider))
      return false;
    if (filter.session !== undefined && (!('sessionId' in event) || event.sessionId !== filter.session))
      return false;
    return filter.command === undefined || ('commandId' in event && event.commandId === filter.command);
  };
}

function wantsOutput(wanted: string, commandId: string): boolean {
  return wanted === 'all' || wanted === commandId;
}
