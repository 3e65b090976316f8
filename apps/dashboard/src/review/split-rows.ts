import type { DiffRow } from '../parts/diff-rows.ts';

/** Old and new side by side; null: nothing on that side. */
export type SplitRow = Readonly<{ before: DiffRow | null; after: DiffRow | null }>;

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Rows of one hunk as pairs: removed lines are next to their replacement.
 *
 * @param head `@@ -3,4 +3,6 @@`: where it begins on both sides.
 */
export function splitRows(rows: readonly DiffRow[], head: string): readonly SplitRow[] {
  const [, before = '0', after = '0'] = HEAD.exec(head) ?? [];
  // A line's old number minus its new one.
  let shift = Number(before) - Number(after);
  const pairs: SplitRow[] = [];
  let gone: DiffRow[] = [];
  let come: DiffRow[] = [];
  function flush(): void {
    for (let at = 0; at < Math.max(gone.length, come.length); at++)
      pairs.push({ before: gone[at] ?? null, after: come[at] ?? null });
    shift += gone.length - come.length;
    [gone, come] = [[], []];
  }
  for (const row of rows) {
    if (row.kind === 'removed') gone.push(row);
    else if (row.kind === 'added') come.push(row);
    else {
      flush();
      const line = row.line === null ? null : row.line + shift;
      pairs.push({ before: { ...row, line }, after: row });
    }
  }
  flush();
  return pairs;
}
