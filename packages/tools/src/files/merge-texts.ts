import { diffLines } from 'diff';

/** A hostile pair of texts must not take minutes. */
const MAX_DIFF_MS = 500;

/** Replaces the lines `start` to `end` (excluded) of the base. */
type Hunk = { readonly start: number; readonly end: number; readonly text: string };

/**
 * Merges two changes of a text; null if they overlap or touch. Identical changes count as overlapping: if both
 * increment a counter, one increment would be lost.
 */
export function mergeTexts(
  base: string,
  { ours, theirs }: Readonly<{ ours: string; theirs: string }>,
): string | null {
  const [own, other] = [hunksOf(base, ours), hunksOf(base, theirs)];
  if (own === null || other === null) return null;
  const hunks = [...own, ...other].toSorted((one, two) => one.start - two.start);
  const lines = base.match(/[^\n]*\n|[^\n]+/g) ?? [];
  let [merged, at] = ['', 0];
  for (const [index, { start, end, text }] of hunks.entries()) {
    const before = hunks[index - 1];
    if (before !== undefined && start <= before.end) return null;
    merged += lines.slice(at, start).join('') + text;
    at = end;
  }
  return merged + lines.slice(at).join('');
}

/** Null if the diff takes too long. */
function hunksOf(base: string, changed: string): Hunk[] | null {
  const parts = diffLines(base, changed, { timeout: MAX_DIFF_MS });
  if (parts === undefined) return null;
  const hunks: Hunk[] = [];
  let [line, start, text, isOpen] = [0, 0, '', false];
  const close = (): void => {
    if (isOpen) hunks.push({ start, end: line, text });
    [text, isOpen] = ['', false];
  };
  for (const { added, removed, count, value } of parts) {
    if (!added && !removed) close();
    else if (!isOpen) [start, isOpen] = [line, true];
    if (added) text += value;
    else line += count;
  }
  close();
  return hunks;
}
