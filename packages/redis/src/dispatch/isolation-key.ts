import type { NodeId } from '@signalbox/core';

/** Name of the fact in which a worker reports how it confines commands. */
export function isolationKey(worker: NodeId): string {
  return `isolation:${worker}`;
}
