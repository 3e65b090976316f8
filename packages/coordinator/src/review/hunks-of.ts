/** A parsed patch of one file: the two header rows, and each hunk with its head. */
type Hunk = { readonly head: string; readonly rows: readonly string[] };

/** The heads of its hunks, `@@ -3,4 +3,6 @@`; empty if a patch has no text to show. */
export function hunksOf(patch: string): readonly string[] {
  return apart(patch).hunks.map(({ head }) => head);
}

/** The patch without the hunks with those heads, and the remaining counts. */
export function withoutHunks(patch: string, heads: ReadonlySet<string>) {
  const { names, hunks } = apart(patch);
  const left = hunks.filter(({ head }) => !heads.has(head));
  const rows = left.flatMap((hunk) => hunk.rows);
  const count = (sign: string): number => rows.filter((row) => row.startsWith(sign)).length;
  return {
    patch: [...names, ...left.flatMap(({ head, rows: own }) => [head, ...own])].join('\n'),
    added: count('+'),
    removed: count('-'),
    isEmpty: left.length === 0,
  };
}

function apart(patch: string): { readonly names: readonly string[]; readonly hunks: readonly Hunk[] } {
  const rows = patch.split('\n');
  const starts = rows.flatMap((row, at) => (at >= 2 && row.startsWith('@@ ') ? [at] : []));
  return {
    names: rows.slice(0, starts[0] ?? rows.length),
    hunks: starts.map((start, n) => ({
      head: rows[start] ?? '',
      rows: rows.slice(start + 1, starts[n + 1] ?? rows.length),
    })),
  };
}
