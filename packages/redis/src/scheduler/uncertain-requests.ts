import type { CommandId, LeaseId } from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import { type Bounds, cancel, release } from './scheduler-scripts.ts';

/** What Redis may have done, or not done, when its answer never came. */
export type UncertainRequests = {
  /** Perhaps it is in the queue, or under that lease. */
  enqueued(commandId: CommandId, leaseId: LeaseId): void;
  /** Perhaps nobody released it, and nothing runs under it here. */
  held(leaseId: LeaseId): void;
  /** Takes out and releases whatever is there of all that. @throws {UnavailableError} when it still can't */
  settle(): Promise<void>;
};

export function createDoubts(connection: RedisConnection, bounds: Bounds): UncertainRequests {
  const doubtful = new Map<LeaseId, CommandId | null>();
  return {
    enqueued: (commandId, leaseId) => void doubtful.set(leaseId, commandId),
    held: (leaseId) => void doubtful.set(leaseId, null),
    async settle() {
      for (const [leaseId, commandId] of doubtful) {
        if (commandId !== null) await connection.run(cancel, { commandId, bounds, leaseId });
        await connection.run(release, { leaseId, commandId: commandId ?? undefined, bounds, owner: null });
        doubtful.delete(leaseId);
      }
    },
  };
}
