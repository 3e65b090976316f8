import type { Readings } from '@signalbox/core';

/** What the sender of a call had seen: not what a refusal showed since, as to another call of the same turn. */
export function readingsOfCall(readings: Readings, submittedAt: number): Readings {
  return {
    ...readings,
    get(path) {
      const reading = readings.get(path);
      return reading?.shownAt !== undefined && reading.shownAt >= submittedAt ? undefined : reading;
    },
  };
}
