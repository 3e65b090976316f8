/** Of what is none that we can read: git may read it otherwise. */
const UNREADABLE = 'what can not be read';

/**
 * What a configuration of git sets: keys in lower case but for their middle part, values without quotes. A row that is
 * written in a way that nobody needs, such as two sections in one, is told as {@link UNREADABLE}.
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
    // The next row belongs to it, or it ends a comment: both are possible.
    if (line.endsWith('\\')) entries.push([UNREADABLE, line]);
  }
  return entries;
}

/** Without its quotes, which may stand anywhere, its escapes, and a comment behind it. */
function valueOf(written: string): string {
  const parts = written.match(/"(?:[^"\\]|\\.)*"?|\\.|[^"\\#;]+|[#;].*/gs) ?? [];
  const end = parts.findIndex((part) => /^[#;]/.test(part));
  return parts
    .slice(0, end < 0 ? undefined : end)
    .map((part) => part.replaceAll(/^"|"$/g, '').replaceAll(/\\(.)/g, '$1'))
    .join('')
    .trimEnd();
}
