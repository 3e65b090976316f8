import type { MemberId } from '@signalbox/core';

/** Name of the fact in which a worker says what would confine a command there. */
export function isolationKey(worker: MemberId): string {
  return `isolation:${worker}`;
}
