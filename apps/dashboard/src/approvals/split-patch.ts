/** One file of a patch in git's format. */
export type FileOfPatch = Readonly<{ path: string; patch: string }>;

/** More files than anyone reads below a call. */
const MAX_FILES = 50;

/** The files of a patch, each beginning with its two name lines, as `patchRows` reads it. */
export function splitPatch(patch: string): readonly FileOfPatch[] {
  if (!patch.startsWith('diff --git '))
    return patch === '' ? [] : [{ path: nameIn(patch.split('\n')), patch }];
  const chunks = `\n${patch}`.split('\ndiff --git ').slice(1, MAX_FILES + 1);
  return chunks.map((chunk) => {
    const rows = chunk.split('\n');
    const at = rows.findIndex((row) => row.startsWith('--- '));
    if (at < 0) return { path: nameIn(rows), patch: ['', '', noteIn(rows)].join('\n') };
    return { path: nameIn(rows), patch: rows.slice(at).join('\n') };
  });
}

function nameIn(rows: readonly string[]): string {
  for (const [start, cut] of [
    ['+++ b/', 6],
    ['+++ "b/', 4],
    ['rename to ', 10],
    ['--- a/', 6],
    ['--- "a/', 4],
  ] as const) {
    const row = rows.find((one) => one.startsWith(start));
    if (row !== undefined) return row.slice(cut).replace(/\t$/, '');
  }
  const both = rows[0] ?? '';
  return both.slice(both.lastIndexOf(' b/') + 3);
}

/** `Binary files differ`, `rename from a`, `new mode 100755`. */
function noteIn(rows: readonly string[]): string {
  return rows
    .slice(1)
    .filter((row) => row !== '' && !row.startsWith('index ') && !row.startsWith('similarity '))
    .join(', ');
}
