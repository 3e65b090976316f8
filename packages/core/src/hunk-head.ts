type Hunk = Readonly<{ oldStart: number; oldLines: number; newStart: number; newLines: number }>;

/** `@@ -3,4 +3,6 @@`: the head of a hunk as git counts, which tells it from the others of its file. */
export function hunkHead({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`;
}

/** Where there is no line, it is the one before. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
