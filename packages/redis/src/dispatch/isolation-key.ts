import type { MemberId } from '@signalbox/core';

/** Name of the fact in which a worker reports how it confines commands. */
export function isolationKey(worker: MemberId): string {
  return `isolation:${worker}`;
}
