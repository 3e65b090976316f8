import type { CommandId } from '@signalbox/core';
import type { LeaseHolding } from '../command-setup.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import type { StepPerformers } from './performers.ts';

/** Enqueues a command's claims and releases them. No process may be alive under a lease that is released. */
export function claiming(
  parts: Pick<RunnerDependencies, 'scheduler' | 'claimsOf' | 'clock' | 'stuck'>,
): StepPerformers<'enqueue' | 'release' | 'keepLease' | 'keepHeld'> {
  const { scheduler, clock } = parts;

  async function releaseHeld(holding: LeaseHolding, id: CommandId): Promise<void> {
    if (holding.kind === 'lease') await scheduler.release(holding.lease.leaseId);
    if (holding.kind === 'entry') await scheduler.cancel(id);
  }

  return {
    async enqueue({ wanted }, record) {
      const { id, context } = record;
      const answer = await scheduler.enqueue({
        commandId: id,
        provider: context.provider,
        priority: context.priority,
        ...(wanted ?? { claims: parts.claimsOf(record) }),
      });
      return [{ type: 'queue.answered', answer, at: clock.now() }];
    },
    async release({ holding }, record) {
      await releaseHeld(holding, record.id);
      return [{ type: 'claims.released' }];
    },
    keepLease: ({ lease }) => [{ type: 'lease.exchanged', lease }],
    async keepHeld({ holding }, record) {
      // Its changes are partly applied: no other command may touch these files.
      await parts.stuck(record, () => releaseHeld(holding, record.id));
    },
  };
}
