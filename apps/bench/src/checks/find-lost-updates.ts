import type { Violation } from './invariant.ts';

/** One file whose counter commands incremented. */
export type CountedUpdates = Readonly<{
  path: string;
  /** Its value at the end. */
  final: number;
  /** The value to which each command says it counted. */
  values: readonly Readonly<{ key: number; value: number }>[];
  /** Number of commands that started and may have counted or not. */
  unknown: number;
}>;

/**
 * Every command increments a file by one, so each number appears once and the file holds the highest. Two commands with
 * the same number have read the same count: one of their updates is lost.
 */
export function findLostUpdates({ path, final, values, unknown }: CountedUpdates): readonly Violation[] {
  const violations: Violation[] = [];
  const by = new Map<number, number>();
  for (const { key, value } of values) {
    const other = by.get(value);
    if (other === undefined) by.set(value, key);
    else
      violations.push({
        says: `#${other} and #${key} both counted ${path} up to ${value}: one update is lost`,
        keys: [other, key],
      });
  }
  const missing = final - by.size;
  const highest = Math.max(0, ...values.map(({ value }) => value));
  if (final < highest)
    violations.push({
      says: `${path} holds ${final} and was counted up to ${highest} by #${by.get(highest)}`,
      keys: [by.get(highest) ?? -1],
    });
  else if (missing > unknown)
    violations.push({
      says: `${path} holds ${final}, and only ${by.size + unknown} commands can have counted it`,
      keys: [],
    });
  return violations;
}
