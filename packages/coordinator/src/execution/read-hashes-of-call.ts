import type { ReadHashes } from '@signalbox/core';

/** What the sender of a call had seen: not what a refusal showed since, as to another call of the same turn. */
export function readHashesOfCall(readHashes: ReadHashes, submittedAt: number): ReadHashes {
  return {
    ...readHashes,
    get(path) {
      const reading = readHashes.get(path);
      return reading?.shownAt !== undefined && reading.shownAt >= submittedAt ? undefined : reading;
    },
  };
}
