import type { Trace } from '../evidence/trace.ts';
import type { Violation } from './invariant.ts';

/** Commands that waited longer than the coordinator lets anybody wait, from going out to their start or their end. */
export function findLongWaits(traces: readonly Trace[], maxWaitMs: number): readonly Violation[] {
  return traces.flatMap(({ key, submitted, starts, answers }) => {
    const until = starts[0] ?? answers[0]?.moment;
    if (submitted === null || until === undefined) return [];
    const waitedMs = (until.atUs - submitted.atUs) / 1000;
    return waitedMs > maxWaitMs
      ? [{ says: `#${key} waited ${Math.round(waitedMs)} ms; ${maxWaitMs} ms is the bound`, keys: [key] }]
      : [];
  });
}
