import type { ReadHashes } from '@signalbox/core';

/**
 * What the sender of a call had seen, without what a later refusal showed it, for example to another call of the same
 * turn.
 */
export function readHashesOfCall(readHashes: ReadHashes, submittedAt: number): ReadHashes {
  return {
    ...readHashes,
    get(path) {
      const reading = readHashes.get(path);
      return reading?.shownAt !== undefined && reading.shownAt >= submittedAt ? undefined : reading;
    },
  };
}
