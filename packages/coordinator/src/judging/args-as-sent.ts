import { JsonObject, type RawCall } from '@signalbox/core';

/** Characters kept of arguments that no tool understood. */
const MAX_UNREAD = 4096;

/** What a call asked for that is not judged, or can't be, bounded: for record and audit; nobody acts on it. */
export function argsAsSent(args: RawCall['args']): JsonObject {
  if (typeof args === 'string') return { text: args.slice(0, MAX_UNREAD) };
  const text = JSON.stringify(args);
  return text.length <= MAX_UNREAD ? JsonObject.parse(JSON.parse(text)) : { text: text.slice(0, MAX_UNREAD) };
}
