import type { RecordedCall } from '../recorded-call.ts';
import { callsOf } from '../turn-outcome.ts';
import { tokensOf } from './context-size.ts';
import { messagesOf, type TurnGroup, withResults } from './turn-groups.ts';

const ELSEWHERE = '[left out here to save context: see the summary above]';

/**
 * The removed turns that show the present text of files that the session edits: for each file its last read and its own
 * changes after that, most recently touched files first, as many as fit. Results of other calls in them are left out.
 */
export function readsToKeep(
  removed: readonly TurnGroup[],
  { calls, maxTokens }: { readonly calls: readonly RecordedCall[]; readonly maxTokens: number },
): readonly TurnGroup[] {
  const turnOf = new Map(
    removed.flatMap(({ assistant }, turn) => callsOf(assistant).map(({ id }) => [id, turn] as const)),
  );
  const kept = new Set<string>();
  for (const path of editedPaths(calls)) {
    const shown = callsThatShow(path, calls).filter(({ callId }) => turnOf.has(callId));
    const wanted = new Set([...kept, ...shown.map(({ callId }) => callId)]);
    if (tokensOf(groupsWith(removed, wanted).flatMap(messagesOf)) > maxTokens) continue;
    for (const callId of wanted) kept.add(callId);
  }
  return groupsWith(removed, kept);
}

/** Most recently touched first. */
function editedPaths(calls: readonly RecordedCall[]): readonly string[] {
  const edited = new Set(calls.flatMap(({ changed = [] }) => changed));
  const touched = calls.toReversed().flatMap(({ changed = [], read = [] }) => [...changed, ...read]);
  return [...new Set(touched)].filter((path) => edited.has(path));
}

/** Its last read, and the changes after it; none if it was never read. */
function callsThatShow(path: string, calls: readonly RecordedCall[]): readonly RecordedCall[] {
  const last = calls.findLastIndex(({ read = [] }) => read.includes(path));
  if (last < 0) return [];
  return calls.slice(last).filter(({ changed = [] }, at) => at === 0 || changed.includes(path));
}

/** The turns that made these calls, with the results of these calls alone. */
function groupsWith(turns: readonly TurnGroup[], ids: ReadonlySet<string>): readonly TurnGroup[] {
  return turns
    .filter(({ assistant }) => callsOf(assistant).some(({ id }) => ids.has(id)))
    .map((turn) => ({
      ...withResults(turn, ({ id }) => (ids.has(id) ? undefined : ELSEWHERE)),
      said: [],
    }));
}
