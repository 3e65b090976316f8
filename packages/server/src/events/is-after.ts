import type { EventId } from '@signalbox/core';

/** Whether an event came after another: ids are `<epoch ms>-<n>`, and grow. */
export function isAfter(id: EventId, other: EventId): boolean {
  const [ms = 0, n = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherN = 0] = other.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && n > otherN);
}
