/** More consecutive blank rows than this are counted: they could push important rows off the screen. */
const MAX_BLANK_ROWS = 3;

/**
 * Rows of a text, or of a diff, whose rows begin with a sign; many blank ones with the same sign become one row, `⋯ 58
 * blank lines`.
 */
export function foldBlankRows(rows: readonly string[], { isDiff = false } = {}): readonly string[] {
  const signOf = (row: string): string => (isDiff ? row.slice(0, 1) : '');
  const isBlank = (row: string): boolean => row.slice(signOf(row).length).trim() === '';
  const folded: string[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at] ?? '';
    let end = at + 1;
    if (isBlank(row)) {
      while (end < rows.length && isBlank(rows[end] ?? '') && signOf(rows[end] ?? '') === signOf(row))
        end += 1;
    }
    const count = end - at;
    folded.push(...(count > MAX_BLANK_ROWS ? [`${signOf(row)}⋯ ${count} blank lines`] : rows.slice(at, end)));
    at = end;
  }
  return folded;
}
