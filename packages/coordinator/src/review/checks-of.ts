import type { CommandId, CommandRecord, OutcomeKind } from '@signalbox/core';

/** The last run of one check: the tests, the linter, or the line that says whether the work is done. */
export type ReviewCheck = {
  readonly command: CommandId;
  /** `run_tests`, `bash make check`. */
  readonly title: string;
  readonly outcome: OutcomeKind;
  readonly exitCode: number | null;
  readonly passed: boolean;
  readonly endedAt: number;
  /** A command changed files after it had started: it says nothing of what stands there now. */
  readonly isOlder: boolean;
};

const CHECKS: ReadonlySet<string> = new Set(['run_tests', 'run_linter']);
/** More lines than anybody has for that. */
const MAX_CHECKS = 5;

/**
 * The last run of each check, the newest first. One that was refused or cancelled before it ran is none.
 *
 * @param all Commands, the newest first.
 * @param isCounted Of a changed path: caches and git's own files change with every run.
 */
export function checksOf(
  all: readonly CommandRecord[],
  isCounted: (path: string) => boolean,
): readonly ReviewCheck[] {
  const changes = all.flatMap(({ id, result, endedAt }) =>
    result?.files.some(({ kind, path }) => kind !== 'read' && isCounted(path)) === true
      ? [{ id, at: endedAt ?? 0 }]
      : [],
  );
  const last = new Map<string, ReviewCheck>();
  for (const { id, call, context, title, startedAt, endedAt, result } of all) {
    if (!CHECKS.has(call.tool) && context.phase !== 'verifier') continue;
    const key = CHECKS.has(call.tool) ? call.tool : title;
    if (result === null || startedAt === null || endedAt === null) continue;
    if ((last.get(key)?.endedAt ?? -1) >= endedAt) continue;
    const { kind } = result.outcome;
    if (kind === 'cancelled') continue;
    last.set(key, {
      command: id,
      title,
      outcome: kind,
      exitCode: result.exitCode,
      passed: kind === 'completed' && (result.exitCode ?? 0) === 0,
      endedAt,
      isOlder: changes.some((change) => change.id !== id && change.at >= startedAt),
    });
  }
  return [...last.values()].toSorted((one, other) => other.endedAt - one.endedAt).slice(0, MAX_CHECKS);
}
