import type { CommandId, Lease, Logger, Scheduler } from '@signalbox/core';
import type { Takeover } from '../shared/takeover.ts';
import type { CommandRunner } from './command-runner.ts';

/** Passes the scheduler's notices to each led command; leases of other commands are taken over or released. */
export function listenToScheduler(parts: {
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly runners: Pick<ReadonlyMap<CommandId, CommandRunner>, 'get'>;
  /** Whether its claims stay held although it is over. */
  readonly isHeld: (id: CommandId) => boolean;
  readonly takeover: Pick<Takeover, 'takeOverLease'> | undefined;
}): void {
  const { scheduler, logger, runners, isHeld, takeover } = parts;

  /** For the lease of a command that is over: its process is dead, or never started. */
  function releaseLease(lease: Lease): void {
    scheduler.release(lease.leaseId).catch((error: unknown) => {
      logger.error({ commandId: lease.commandId, error }, 'lease not released');
    });
  }

  scheduler.listen({
    granted(lease) {
      const runner = runners.get(lease.commandId);
      if (runner === undefined) releaseLease(lease);
      else runner.leaseGranted(lease);
    },
    stale: (id, waitedMs) => runners.get(id)?.waitedTooLong(waitedMs),
    lost(lease) {
      const runner = runners.get(lease.commandId);
      if (runner !== undefined) runner.leaseLost(lease);
      else if (!isHeld(lease.commandId)) void (takeover?.takeOverLease(lease) ?? releaseLease(lease));
    },
  });
}
