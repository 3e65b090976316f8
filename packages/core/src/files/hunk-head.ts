type Hunk = Readonly<{ oldStart: number; oldLines: number; newStart: number; newLines: number }>;

/** `@@ -3,4 +3,6 @@`: the head of a hunk as git counts, unique within its file. */
export function hunkHead({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`;
}

/** An empty range starts at the line before it. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
