import type { Event } from '@signalbox/core';

const UNREACHABLE: ReadonlySet<string> = new Set(['NetworkError', 'Timeout', 'ServerError']);

/** Whether no provider took a turn because none could be reached, and not because of its settings. */
export function nobodyAnswered(
  events: readonly Event[],
  ends: readonly Readonly<{ finish: string; turns: number }>[],
): boolean {
  const failed = events.flatMap((event) => (event.type === 'turn_failed' ? [event.kind] : []));
  return (
    ends.length > 0 &&
    ends.every(({ finish, turns }) => finish === 'failed' && turns === 0) &&
    failed.every((kind) => UNREACHABLE.has(kind))
  );
}
