import type { CommandSummary } from '@signalbox/api';
import { isTrouble } from '../workspace/train.ts';

/** Commands that ended, as one bead of one kind. `left`: of its middle, in pixels. */
export type Bead = Readonly<{ kind: 'bead'; row: number; left: number; trains: readonly CommandSummary[] }>;

export const BEAD = 24;

/** Adds one that ended later than all of the row: near its own kind they become a number, else it stands beside. */
export function withBead(beads: readonly Bead[], { row, left, trains }: Bead): readonly Bead[] {
  const last = beads.at(-1);
  const isNear = last !== undefined && left - last.left < BEAD;
  if (isNear && isBad(last.trains) === isBad(trains)) {
    return [...beads.slice(0, -1), { ...last, trains: [...last.trains, ...trains] }];
  }
  return [
    ...beads,
    { kind: 'bead', row, left: Math.max(BEAD / 2, isNear ? last.left + BEAD : left), trains },
  ];
}

/** A stretch of a row on which beads may stand: between what is drawn at its length, which they never cover. */
export type Gap = Readonly<{ row: number; from: number; until: number; beads: readonly Bead[] }>;

/**
 * What was pushed aside past the end of its gap stands in it again, and pushes what is older; what does not fit is counted
 * in its oldest beads. What failed never hides among what completed.
 */
export function fitBeads({ beads, from, until }: Gap): readonly Bead[] {
  const most = Math.max(2, Math.floor((until - from) / BEAD));
  const surplus = beads.length <= most ? 0 : beads.length - most + 2;
  const fitting = [...foldedOldest(beads.slice(0, surplus)), ...beads.slice(surplus)];
  let limit = until - BEAD / 2;
  const placed: Bead[] = [];
  for (const bead of fitting.toReversed()) {
    const left = Math.max(from + BEAD / 2, Math.min(bead.left, limit));
    placed.push(left === bead.left ? bead : { ...bead, left });
    limit = left - BEAD;
  }
  return placed.toReversed();
}

function foldedOldest(beads: readonly Bead[]): readonly Bead[] {
  return [false, true].flatMap((bad): Bead[] => {
    const same = beads.filter(({ trains }) => isBad(trains) === bad);
    const [first] = same;
    return first === undefined ? [] : [{ ...first, trains: same.flatMap(({ trains }) => trains) }];
  });
}

function isBad([first]: readonly CommandSummary[]): boolean {
  return first !== undefined && isTrouble(first);
}
