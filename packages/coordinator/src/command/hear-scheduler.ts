import type { CommandId, Lease, Logger, Scheduler } from '@signalbox/core';
import type { Adoption } from '../shared/adoption.ts';
import type { CommandRunner } from './command-runner.ts';

/** Passes on to each led command what the scheduler says of it; leases of others are taken over, or given back. */
export function hearScheduler(parts: {
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly lives: Pick<ReadonlyMap<CommandId, CommandRunner>, 'get'>;
  /** Whether its claims stay held although it is over. */
  readonly isHeld: (id: CommandId) => boolean;
  readonly adoption: Pick<Adoption, 'inherit'> | undefined;
}): void {
  const { scheduler, logger, lives, isHeld, adoption } = parts;

  /** For the lease of a command that is over: its process is dead, or never was. */
  function giveBack(lease: Lease): void {
    scheduler.release(lease.leaseId).catch((error: unknown) => {
      logger.error({ commandId: lease.commandId, error }, 'lease not released');
    });
  }

  scheduler.listen({
    granted(lease) {
      const life = lives.get(lease.commandId);
      if (life === undefined) giveBack(lease);
      else life.leaseGranted(lease);
    },
    stale: (id, waitedMs) => lives.get(id)?.waitedTooLong(waitedMs),
    lost(lease) {
      const life = lives.get(lease.commandId);
      if (life !== undefined) life.leaseLost(lease);
      else if (!isHeld(lease.commandId)) void (adoption?.inherit(lease) ?? giveBack(lease));
    },
  });
}
