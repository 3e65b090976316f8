import { createTwoFilesPatch, diffLines } from 'diff';

/** A diff of thousands of lines takes milliseconds; a hostile pair of texts must not take minutes. */
const MAX_DIFF_MS = 500;

export type LineChanges = { readonly linesAdded: number; readonly linesRemoved: number };

/** Counts added and removed lines; counts all of both texts if the diff takes too long. */
export function countLineChanges(before: string, after: string): LineChanges {
  const parts = diffLines(before, after, { timeout: MAX_DIFF_MS });
  if (parts === undefined) return { linesAdded: countLines(after), linesRemoved: countLines(before) };
  const sum = (of: 'added' | 'removed'): number =>
    parts.filter((part) => part[of]).reduce((lines, part) => lines + part.count, 0);
  return { linesAdded: sum('added'), linesRemoved: sum('removed') };
}

/** Counts the lines of a text, including a last one without a line feed. */
export function countLines(text: string): number {
  if (text === '') return 0;
  const feeds = text.split('\n').length - 1;
  return text.endsWith('\n') ? feeds : feeds + 1;
}

const TOO_DIFFERENT = 'The two texts differ too much to show how';

/** Whether {@link unifiedDiff} omitted nothing. */
export function isWholeDiff(lines: readonly string[]): boolean {
  return lines[0] !== TOO_DIFFERENT && lines.at(-1)?.startsWith('… ') !== true;
}

/** The hunks of a unified diff, at most `maxLines` lines, the last of which says how many were omitted. */
export function unifiedDiff(
  before: string,
  after: string,
  { maxLines }: Readonly<{ maxLines: number }>,
): readonly string[] {
  const patch = createTwoFilesPatch('before', 'after', before, after, undefined, undefined, {
    context: 2,
    timeout: MAX_DIFF_MS,
  });
  if (patch === undefined) return [TOO_DIFFERENT];
  const lines = patch.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  if (first < 0) return [];
  const hunks = lines.slice(first, lines.at(-1) === '' ? -1 : undefined);
  if (hunks.length <= maxLines) return hunks;
  return [...hunks.slice(0, maxLines - 1), `… ${hunks.length - maxLines + 1} more lines of difference`];
}
