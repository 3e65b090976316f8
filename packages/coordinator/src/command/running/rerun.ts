import {
  type Claim,
  type Execution,
  type ExecutionRequest,
  pathResource,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import type { Hold } from './hold.ts';

export type RerunOptions = {
  readonly hold: Hold;
  /** The claims it held when it started. */
  readonly heldAtStart: readonly Claim[];
  readonly signal: AbortSignal;
  readonly execute: (request: ExecutionRequest) => Promise<Execution>;
  /** Claims on the last run's changes, if it reached its commit. */
  readonly written: () => readonly Claim[];
  /** 0: never. */
  readonly maxReruns: number;
  /** Whether policy and approval still allow it. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Receives claims on the changes of a run in conflict, so that the same line takes them at its next start. */
  readonly learn: (claims: readonly Claim[]) => void;
};

/**
 * Reruns a transaction that ended in a conflict and so committed nothing: with claims on its changes, and the last time
 * alone in the workspace. Effects beyond the workspace would happen twice, so a transaction with network access or a
 * person at its terminal is not rerun.
 */
export async function rerunInConflict(
  request: ExecutionRequest,
  first: Execution,
  options: RerunOptions,
): Promise<Execution> {
  const { hold, heldAtStart, signal, maxReruns } = options;
  const max = request.network === 'off' && request.terminal !== true ? maxReruns : 0;
  let last = first;
  for (let run = 1; last.ended.kind === 'conflict'; run++) {
    const named = last.ended.conflicts.map(({ path }) => writeClaim(pathResource(path)));
    const wrote = unique([...options.written(), ...named]);
    options.learn(wrote);
    if (run > max || signal.aborted || !(await options.isStillAllowed())) break;
    const claims = run === max ? [writeClaim(WORKSPACE)] : unique([...heldAtStart, ...wrote]);
    if ((await hold.exchange(claims, { placeless: false, signal })) === null) break;
    last = { ...(await options.execute(request)), reruns: run };
  }
  return last;
}

/** A claim to write includes the one to read the same. */
function unique(claims: readonly Claim[]): readonly Claim[] {
  const byResource = new Map<string, Claim>();
  for (const claim of claims) {
    if (byResource.get(claim.resource)?.access !== 'write') byResource.set(claim.resource, claim);
  }
  return [...byResource.values()];
}
