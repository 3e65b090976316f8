import type { Claim } from '@signalbox/core';
import { overlaps } from './resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';

/** Why a command waits: its holders, the resource, and its position. */
export type CommandWait = Readonly<{
  /** 1: next in line. */
  position: number;
  /** Current holders of its claims; empty if it waits only for a free slot. */
  holders: readonly CommandSummary[];
  /** Its own claim that the first of them blocks. */
  claim: Claim | null;
}>;

type Summaries = ReadonlyMap<string, CommandSummary>;

export function waitOf(summary: CommandSummary, summaries: Summaries): CommandWait {
  const before = summary.blockers.flatMap((id) => {
    const blocker = summaries.get(id);
    return blocker === undefined || blocker.state === 'done' ? [] : [blocker];
  });
  const holders = before.filter(({ state }) => state === 'running');
  const [first] = holders.length > 0 ? holders : before;
  return {
    position: before.length - holders.length + 1,
    holders,
    claim: first === undefined ? null : contested(summary.claims, first.claims),
  };
}

/** My first claim that conflicts with theirs. */
function contested(mine: readonly Claim[], theirs: readonly Claim[]): Claim | null {
  const found = mine.find((claim) =>
    theirs.some(
      (other) =>
        (claim.access === 'write' || other.access === 'write') && overlaps(claim.resource, other.resource),
    ),
  );
  return found ?? mine[0] ?? null;
}

const ORDINALS: Readonly<Record<number, string>> = { 1: '1st', 2: '2nd', 3: '3rd' };

/** `1st`, `2nd`, `11th`. */
export function ordinal(position: number): string {
  const isTeen = Math.floor(position / 10) % 10 === 1;
  const ending = isTeen ? undefined : ORDINALS[position % 10];
  return ending === undefined ? `${position}th` : `${position}${ending.slice(1)}`;
}
