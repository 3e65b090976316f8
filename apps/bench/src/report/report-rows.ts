import { BASELINES, type BenchReport } from './bench-report.ts';
import { milliseconds, perSecond, ratioText } from './number-text.ts';

export const TIME_TITLES = ['', 'p50', 'p90', 'p99', 'max', 'times'] as const;

/** The measured times, under {@link TIME_TITLES}. */
export function timeRows({ numbers }: BenchReport): readonly (readonly string[])[] {
  const timed = [
    ['submit → start', numbers.submitToStart],
    ['start → end', numbers.startToEnd],
    ['end → answer', numbers.endToAnswer],
    ['submit → answer', numbers.submitToAnswer],
    ['hand-off of a file', numbers.handOff],
  ] as const;
  return timed
    .filter(([, { count }]) => count > 0)
    .map(([what, { p50, p90, p99, max, count }]) => [
      what,
      ...[p50, p90, p99, max].map(milliseconds),
      String(count),
    ]);
}

export type BaselineRow = Readonly<{
  name: string;
  perSecond: string;
  /** Speed of Signalbox relative to the baseline; empty for Signalbox. */
  ratio: string;
  lostUpdates: number | null;
}>;

/** Signalbox, then each of its baselines; empty when no baseline ran. */
export function baselineRows({ baselines, numbers, invariants }: BenchReport): readonly BaselineRow[] {
  if (baselines.length === 0) return [];
  // More than zero is a bug of ours.
  const lost = invariants.find(({ id }) => id === 'lost-updates')?.violated ?? 0;
  return [
    { name: 'Signalbox', perSecond: perSecond(numbers.perSecond), ratio: '', lostUpdates: lost },
    ...baselines.map(({ id, perSecond: rate, lostUpdates }) => ({
      name: BASELINES[id],
      perSecond: perSecond(rate),
      ratio: ratioText(numbers.perSecond / rate),
      lostUpdates,
    })),
  ];
}
