import type { Claim } from '@signalbox/core';
import { overlaps } from './resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';

/** Why a command waits: for whom, for what, and who is before it. */
export type Wait = Readonly<{
  /** 1: next in line. */
  place: number;
  /** Those that hold now what it wants; empty when it waits for a free place alone. */
  holders: readonly CommandSummary[];
  /** Its own claim that the first of them keeps it from. */
  claim: Claim | null;
}>;

type Trains = ReadonlyMap<string, CommandSummary>;

export function waitOf(train: CommandSummary, trains: Trains): Wait {
  const before = train.blockers.flatMap((id) => {
    const blocker = trains.get(id);
    return blocker === undefined || blocker.state === 'done' ? [] : [blocker];
  });
  const holders = before.filter(({ state }) => state === 'running');
  const [first] = holders.length > 0 ? holders : before;
  return {
    place: before.length - holders.length + 1,
    holders,
    claim: first === undefined ? null : contested(train.claims, first.claims),
  };
}

/** The first of mine that cannot be held beside theirs. */
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
export function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  const ending = isTeen ? undefined : ORDINALS[place % 10];
  return ending === undefined ? `${place}th` : `${place}${ending.slice(1)}`;
}
