import type { CommandId, CommandRecord, OutcomeKind } from '@signalbox/core';
import { changeTimes } from './change-times.ts';

/** The last run of one check: the tests, the linter, or the `until` line of a run. */
export type ReviewCheck = {
  readonly command: CommandId;
  /** `run_tests`, `bash make check`. */
  readonly title: string;
  readonly outcome: OutcomeKind;
  readonly exitCode: number | null;
  readonly passed: boolean;
  readonly endedAt: number;
  /** Commands changed files after it had started: it says nothing about the current files. */
  readonly isOlder: boolean;
  /** The same, for changes made by no command. */
  readonly isByHand: boolean;
};

/** A check, before edits by hand were looked for. */
export type RunOfCheck = Omit<ReviewCheck, 'isByHand'> & { readonly startedAt: number };

const CHECKS: ReadonlySet<string> = new Set(['run_tests', 'run_linter']);
/** A longer list would not be read. */
const MAX_CHECKS = 5;

/**
 * The last run of each check, newest first. Not included are runs that were denied or cancelled before they ran, and
 * lines that check nothing here, such as `true`.
 *
 * @param all Commands, newest first.
 * @param isCounted Whether a changed path counts: caches and git's own files change with every run.
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
 * Adds edits made by hand since each check began: file times that no command's end explains.
 *
 * @param editedSince Files changed by anyone since a time, and when, according to the file system.
 */
export async function withEdits(
  checks: readonly RunOfCheck[],
  all: readonly CommandRecord[],
  editedSince: (sinceMs: number) => Promise<readonly Edit[]>,
): Promise<readonly ReviewCheck[]> {
  // A check that is already older than a command's change needs no further search.
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

const READ_ONLY: ReadonlySet<string> = new Set(['read', 'secret', 'network']);

function mayWrite({ verdict }: CommandRecord): boolean {
  return verdict?.effects.some(({ kind }) => !READ_ONLY.has(kind)) === true;
}

/** A file rewritten with the same content is new for the file system, but is not among its command's results. */
function ranAt({ changedAt }: Edit): (record: CommandRecord) => boolean {
  return ({ startedAt, endedAt }) =>
    startedAt !== null && changedAt >= startedAt && Math.floor(changedAt) <= (endedAt ?? Infinity);
}
