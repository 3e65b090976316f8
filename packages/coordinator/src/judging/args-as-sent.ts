import { JsonObject, type RawCall } from '@signalbox/core';

/** Characters kept of arguments that could not be parsed. */
const MAX_UNREAD = 4096;

/** The arguments of a call that is not judged, or can't be, bounded: only for record and audit. */
export function argsAsSent(args: RawCall['args']): JsonObject {
  if (typeof args === 'string') return { text: args.slice(0, MAX_UNREAD) };
  const text = JSON.stringify(args);
  return text.length <= MAX_UNREAD ? JsonObject.parse(JSON.parse(text)) : { text: text.slice(0, MAX_UNREAD) };
}
