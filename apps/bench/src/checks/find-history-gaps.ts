import type { Violation } from './invariant.ts';

/**
 * Commits that exist twice, have no completed command, or are missing.
 *
 * @param subjects Of all commits of the branch, newest first: `bench 17`.
 * @param committed Commands that completed a commit.
 * @param unknown Commands that may have made a commit or not.
 */
export function findHistoryGaps(
  subjects: readonly string[],
  committed: ReadonlySet<number>,
  unknown: ReadonlySet<number> = new Set(),
): readonly Violation[] {
  const violations: Violation[] = [];
  const seen = new Set<number>();
  for (const subject of subjects) {
    const key = Number(/^bench (\d+)$/.exec(subject)?.[1]);
    if (Number.isNaN(key)) continue;
    if (seen.has(key)) violations.push({ says: `#${key} is in the history twice`, keys: [key] });
    else if (!committed.has(key) && !unknown.has(key))
      violations.push({ says: `#${key} is in the history, and did not complete`, keys: [key] });
    seen.add(key);
  }
  for (const key of committed) {
    if (!seen.has(key))
      violations.push({ says: `#${key} completed, and its commit is not in the history`, keys: [key] });
  }
  return violations;
}
