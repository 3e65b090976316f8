import type { CommandId, CommandRecord, OutcomeKind } from '@signalbox/core';
import { changeTimes } from './change-times.ts';

/** The last run of one check: the tests, the linter, or the line that says whether the work is done. */
export type ReviewCheck = {
  readonly command: CommandId;
  /** `run_tests`, `bash make check`. */
  readonly title: string;
  readonly outcome: OutcomeKind;
  readonly exitCode: number | null;
  readonly passed: boolean;
  readonly endedAt: number;
  /** Files were changed after it had started: it says nothing of what stands there now. */
  readonly isOlder: boolean;
  /** The same, and by no command. */
  readonly isByHand: boolean;
};

/** A check, before anybody has looked for edits by hand. */
export type RunOfCheck = Omit<ReviewCheck, 'isByHand'> & { readonly startedAt: number };

const CHECKS: ReadonlySet<string> = new Set(['run_tests', 'run_linter']);
/** More lines than anybody has for that. */
const MAX_CHECKS = 5;

/**
 * The last run of each check, the newest first. One that was refused or cancelled before it ran is none, and neither is
 * a line that looks at nothing here, as `true`: it says nothing of these files.
 *
 * @param all Commands, the newest first.
 * @param isCounted Of a changed path: caches and git's own files change with every run.
 */
export function checksOf(
  all: readonly CommandRecord[],
  isCounted: (path: string) => boolean,
): readonly RunOfCheck[] {
  const changes = all.flatMap(({ id, result, endedAt }) =>
    result?.files.some(({ kind, path }) => kind !== 'read' && isCounted(path)) === true
      ? [{ id, at: endedAt ?? 0 }]
      : [],
  );
  const last = new Map<string, RunOfCheck>();
  for (const { id, call, context, title, startedAt, endedAt, result, verdict } of all) {
    const isLine = context.phase === 'verifier' && (verdict?.effects.length ?? 0) > 0;
    if (!CHECKS.has(call.tool) && !isLine) continue;
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
      startedAt,
      endedAt,
      isOlder: changes.some((change) => change.id !== id && change.at >= startedAt),
    });
  }
  return [...last.values()].toSorted((one, other) => other.endedAt - one.endedAt).slice(0, MAX_CHECKS);
}

/**
 * The same with what was edited by hand since each began: what a file's own time says that no command's end explains.
 *
 * @param editedSince Files that anybody changed from a moment on, and when, by the file system.
 */
export async function withEdits(
  checks: readonly RunOfCheck[],
  all: readonly CommandRecord[],
  editedSince: (sinceMs: number) => Promise<readonly Edit[]>,
): Promise<readonly ReviewCheck[]> {
  // Of one that is older than a command's change nobody has to know more.
  const begins = checks.flatMap(({ isOlder, startedAt }) => (isOlder ? [] : [startedAt]));
  const found = begins.length === 0 ? [] : await editedSince(Math.min(...begins));
  const commandAt = changeTimes(all);
  const writers = all.filter(mayWrite);
  const edits = found.filter(
    (edit) => Math.floor(edit.changedAt) > (commandAt.get(edit.path) ?? 0) && !writers.some(ranAt(edit)),
  );
  return checks.map(({ startedAt, ...check }) => {
    const isByHand = !check.isOlder && edits.some(({ changedAt }) => changedAt >= startedAt);
    return { ...check, isOlder: check.isOlder || isByHand, isByHand };
  });
}

type Edit = { readonly path: string; readonly changedAt: number };

const LOOKING: ReadonlySet<string> = new Set(['read', 'secret', 'network']);

function mayWrite({ verdict }: CommandRecord): boolean {
  return verdict?.effects.some(({ kind }) => !LOOKING.has(kind)) === true;
}

/** A file that a command wrote as it was before is a new one for the file system, and none that its result names. */
function ranAt({ changedAt }: Edit): (record: CommandRecord) => boolean {
  return ({ startedAt, endedAt }) =>
    startedAt !== null && changedAt >= startedAt && Math.floor(changedAt) <= (endedAt ?? Infinity);
}
