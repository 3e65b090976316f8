import type { CommandId, LeaseId } from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import { type Bounds, cancel, release } from './scheduler-scripts.ts';

/** Requests whose reply was lost: Redis may or may not have handled them. */
export type UncertainRequests = {
  /** The command may be in the queue, or under that lease. */
  enqueued(commandId: CommandId, leaseId: LeaseId): void;
  /** The lease may not have been released, and nothing runs under it here. */
  held(leaseId: LeaseId): void;
  /** Cancels and releases all of them. @throws {UnavailableError} if Redis still can't be reached */
  settle(): Promise<void>;
};

export function createUncertainRequests(connection: RedisConnection, bounds: Bounds): UncertainRequests {
  const uncertain = new Map<LeaseId, CommandId | null>();
  return {
    enqueued: (commandId, leaseId) => void uncertain.set(leaseId, commandId),
    held: (leaseId) => void uncertain.set(leaseId, null),
    async settle() {
      for (const [leaseId, commandId] of uncertain) {
        if (commandId !== null) await connection.run(cancel, { commandId, bounds, leaseId });
        await connection.run(release, { leaseId, commandId: commandId ?? undefined, bounds, owner: null });
        uncertain.delete(leaseId);
      }
    },
  };
}
