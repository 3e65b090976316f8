import { type Event, UsageError } from '@signalbox/core';
import type { SessionEnd } from '../house.ts';

const UNREACHABLE: ReadonlySet<string> = new Set(['NetworkError', 'Timeout', 'ServerError']);

/** Whether no provider took a turn, because none could be reached: not for a fault of its settings. */
export function nobodyAnswered(
  events: readonly Event[],
  ends: readonly PromiseSettledResult<SessionEnd>[],
): boolean {
  const isAway = ends.every((end) =>
    end.status === 'fulfilled' ? end.value.finish === 'failed' : !(end.reason instanceof UsageError),
  );
  const failed = events.flatMap((event) => (event.type === 'turn_failed' ? [event.kind] : []));
  return (
    isAway &&
    ends.length > 0 &&
    events.every(({ type }) => type !== 'turn_ended') &&
    failed.every((kind) => UNREACHABLE.has(kind))
  );
}
