import { type Claim, claimsConflict } from '@signalbox/core';
import type { Trace } from '../evidence/trace.ts';
import { claimsOfPlanned, type PlannedCommand } from '../plan/planned-command.ts';

/** A command's wait for a resource held by another; wall clock, in microseconds. */
export type MeasuredWait = Readonly<{
  /** What the other command held: a path, `git:index`, `workspace`. */
  resource: string;
  fromUs: number;
  toUs: number;
}>;

type Holder = Readonly<{ claims: readonly Claim[]; sentUs: number; startedUs: number; releasedUs: number }>;

/** A bound for runs with a command that holds its claims for long. */
const MAX_CHECKED = 1000;

/**
 * How long commands waited for each other, and for what: among the holders of what a command wanted when it was sent,
 * the last one to start counts. Waits for a slot, and the start of a sandbox, do not count.
 */
export function findWaits(
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
): readonly MeasuredWait[] {
  const holders = traces
    .flatMap((trace) => holderOf(trace, planned))
    .toSorted((a, b) => a.startedUs - b.startedUs);
  const longestUs = holders.reduce((highest, held) => Math.max(highest, held.releasedUs - held.startedUs), 0);
  return holders.flatMap((next, n) => {
    for (let back = 1; back <= Math.min(n, MAX_CHECKED); back++) {
      const other = holders[n - back];
      if (other === undefined || other.startedUs + longestUs <= next.sentUs) return [];
      if (other.releasedUs <= next.sentUs) continue;
      const resource = whatBothWant(other, next);
      if (resource !== null)
        return [{ resource, fromUs: next.sentUs, toUs: Math.min(other.releasedUs, next.startedUs) }];
    }
    return [];
  });
}

/** A holder is a command that started; it has released its claims by the time of its answer. */
function holderOf(
  { key, submitted, starts: [start], ended, answers: [answer] }: Trace,
  planned: (key: number) => PlannedCommand,
): readonly Holder[] {
  const release = answer?.moment ?? ended;
  if (submitted === null || start === undefined || release === null) return [];
  const claims = claimsOfPlanned(planned(key));
  return [{ claims, sentUs: submitted.atUs, startedUs: start.atUs, releasedUs: release.atUs }];
}

function whatBothWant(holder: Holder, next: Holder): string | null {
  const found = holder.claims.find((claim) => claimsConflict([claim], next.claims));
  return found === undefined ? null : found.resource.replace(/^path:/, '').replace(/^tree:(.*)$/, '$1/');
}
