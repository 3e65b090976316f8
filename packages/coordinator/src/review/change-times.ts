import type { CommandRecord } from '@signalbox/core';

/** When a command last changed each path, epoch milliseconds. */
export function changeTimes(all: readonly CommandRecord[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { result, endedAt } of all)
    for (const { path, kind } of result?.files ?? [])
      if (kind !== 'read') times.set(path, Math.max(times.get(path) ?? 0, endedAt ?? 0));
  return times;
}
