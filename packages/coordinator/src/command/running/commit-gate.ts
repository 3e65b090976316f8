import {
  type CommitAnswer,
  describeClaim,
  type ExecutionHooks,
  type FileTouch,
  type Scheduler,
} from '@signalbox/core';
import type { JudgedWrites, WithheldChange } from '../../execution/judge-writes.ts';
import { claimsOfChanges, isCovered } from '../../judging/claims-of.ts';
import type { Hold } from './hold.ts';

/**
 * Decides on a transaction's commit, once its process tree is dead and its exact write set is known: does policy allow
 * these writes, and does it hold claims on these files?
 *
 * Files without a claim are claimed here, through the queue. Everything held is released first, so that no other
 * command can wait for it meanwhile; conflicting changes made until then are found by the commit's base check.
 */
export function createCommitGate(options: {
  readonly hold: Hold;
  readonly scheduler: Pick<Scheduler, 'isCurrent'>;
  readonly signal: AbortSignal;
  readonly judgeWrites: (changes: readonly FileTouch[]) => Promise<JudgedWrites>;
  /** A person must agree to these first: nothing is committed. */
  readonly onWithheld: (withheld: readonly WithheldChange[]) => void;
  /** The lease was lost. */
  readonly onLost: () => void;
}): NonNullable<ExecutionHooks['mayCommit']> {
  const { hold, scheduler, signal, onLost } = options;

  async function checkLease(): Promise<CommitAnswer> {
    const lease = hold.lease();
    if (lease !== undefined && (await scheduler.isCurrent(lease))) return { kind: 'ok' };
    onLost();
    const gone =
      lease === undefined
        ? 'it holds no lease'
        : `lease ${lease.leaseId} (fencing token ${lease.fencingToken}) is gone`;
    return { kind: 'denied', why: [gone] };
  }

  return async (changes, removedFolders = []) => {
    const own = await checkLease();
    if (own.kind !== 'ok') return own;
    const { denied, withheld } = await options.judgeWrites(changes);
    if (denied.length > 0) return { kind: 'denied', why: denied };
    if (withheld.length > 0) {
      options.onWithheld(withheld);
      return {
        kind: 'denied',
        why: withheld.map(({ reason }) => `${reason.text}; no one can be asked here`),
      };
    }
    const claims = claimsOfChanges(changes, removedFolders);
    const held = hold.lease()?.claims ?? [];
    if (claims.every((claim) => isCovered(claim, held))) return own;
    const lease = await hold.exchange(claims, { placeless: true, signal });
    if (lease !== null) return checkLease();
    // An aborted commit writes nothing, whatever the answer.
    if (signal.aborted) return { kind: 'ok' };
    const wanted = claims.map(describeClaim).join(', ');
    return {
      kind: 'conflict',
      why: [`others held the files it wrote for too long: it waited for ${wanted}`],
    };
  };
}
