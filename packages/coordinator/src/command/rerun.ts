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
  /** What it held when it started. */
  readonly heldAtStart: readonly Claim[];
  readonly signal: AbortSignal;
  readonly execute: (request: ExecutionRequest) => Promise<Execution>;
  /** Claims on what the last run wrote, as far as it came to its commit. */
  readonly written: () => readonly Claim[];
  /** 0: never. */
  readonly mostReruns: number;
  /** Whether policy and approval still hold for it as things are now. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Told of what a run in conflict wrote, so that the same line claims it the next time. */
  readonly learn: (claims: readonly Claim[]) => void;
};

/**
 * Runs a transaction again that ended in a conflict and so put nothing: under claims on what it wrote, and the last
 * time alone in the workspace. What it did beyond the workspace it would do twice, so one that had the network, or a
 * person at its terminal, is not run again.
 */
export async function rerunInConflict(
  request: ExecutionRequest,
  first: Execution,
  options: RerunOptions,
): Promise<Execution> {
  const { hold, heldAtStart, signal, mostReruns } = options;
  const most = request.network === 'off' && request.terminal !== true ? mostReruns : 0;
  let last = first;
  for (let run = 1; last.ended.kind === 'conflict'; run++) {
    const named = last.ended.conflicts.map(({ path }) => writeClaim(pathResource(path)));
    const wrote = unique([...options.written(), ...named]);
    options.learn(wrote);
    if (run > most || signal.aborted || !(await options.isStillAllowed())) break;
    const claims = run === most ? [writeClaim(WORKSPACE)] : unique([...heldAtStart, ...wrote]);
    if ((await hold.exchange(claims, { placeless: false, signal })) === null) break;
    last = { ...(await options.execute(request)), reruns: run };
  }
  return last;
}

/** A claim to write stands for one to read the same. */
function unique(claims: readonly Claim[]): readonly Claim[] {
  const byResource = new Map<string, Claim>();
  for (const claim of claims) {
    if (byResource.get(claim.resource)?.access !== 'write') byResource.set(claim.resource, claim);
  }
  return [...byResource.values()];
}
