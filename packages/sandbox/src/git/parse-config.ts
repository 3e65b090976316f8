/** Key of a row we can't parse; git may read it differently. */
const UNREADABLE = 'unreadable content';

/**
 * Parses a git configuration: keys in lower case except for their middle part, values without quotes. An
 * unusual row, such as two sections in one, is reported as {@link UNREADABLE}.
 */
export function parseConfig(text: string): readonly (readonly [key: string, value: string])[] {
  let section = '';
  const entries: (readonly [string, string])[] = [];
  for (const row of text.split('\n')) {
    const line = row.trim();
    const head = /^\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]\s*(.*)$/s.exec(line);
    if (head !== null)
      section = [head[1]?.toLowerCase(), head[2]].filter((part) => part !== undefined).join('.');
    const rest = head === null ? line : (head[3] ?? '');
    const pair = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s.exec(rest);
    if (pair !== null) entries.push([`${section}.${pair[1]?.toLowerCase()}`, valueOf(pair[2] ?? 'true')]);
    else if (rest !== '' && !/^[#;]/.test(rest)) entries.push([UNREADABLE, rest]);
    // Either it continues on the next row, or it ends a comment.
    if (line.endsWith('\\')) entries.push([UNREADABLE, line]);
  }
  return entries;
}

/** Removes quotes anywhere in the value, escapes, and a trailing comment. */
function valueOf(written: string): string {
  const parts = written.match(/"(?:[^"\\]|\\.)*"?|\\.|[^"\\#;]+|[#;].*/gs) ?? [];
  const end = parts.findIndex((part) => /^[#;]/.test(part));
  return parts
    .slice(0, end < 0 ? undefined : end)
    .map((part) => part.replaceAll(/^"|"$/g, '').replaceAll(/\\(.)/g, '$1'))
    .join('')
    .trimEnd();
}
