import { EventId } from '@signalbox/core';

/** Whether `a` is after `b`; every event is after `null`. */
export function isAfter(a: EventId, b: EventId | null): boolean {
  if (b === null) return true;
  const [aMs = 0, aN = 0] = a.split('-').map(Number);
  const [bMs = 0, bN = 0] = b.split('-').map(Number);
  return aMs === bMs ? aN > bN : aMs > bMs;
}

export function laterOf(a: EventId | null, b: EventId): EventId {
  return a !== null && isAfter(a, b) ? a : b;
}

/** The time is part of the id. */
export function stampOf(id: string): { id: EventId; at: number } {
  return { id: EventId.parse(id), at: Number(id.split('-', 1)[0]) };
}
