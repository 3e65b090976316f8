import { structuredPatch } from 'diff';

export type DiffRow = Readonly<{
  kind: 'added' | 'removed' | 'same' | 'gap';
  /** Line in the new text, or in the old one for a removed line; null in a gap. */
  line: number | null;
  text: string;
}>;

/** Two hostile texts must not take minutes. */
const MAX_DIFF_MS = 500;
/** More rows than anyone reads; the call has the full text. */
const MAX_ROWS = 2000;

/** The diff of a text, with three lines of context; all of it if there was none before. */
export function diffRows(before: string | null, after: string): readonly DiffRow[] {
  if (before === null) return wholeRows('added', after);
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: MAX_DIFF_MS });
  if (patch === undefined) return [...wholeRows('removed', before), ...wholeRows('added', after)];
  return patch.hunks
    .flatMap((hunk, at): DiffRow[] => {
      let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
      const rows = hunk.lines.flatMap((row): DiffRow[] => {
        const text = row.slice(1);
        if (row.startsWith('+')) return [{ kind: 'added', line: newLine++, text }];
        if (row.startsWith('-')) return [{ kind: 'removed', line: oldLine++, text }];
        if (!row.startsWith(' ')) return [];
        oldLine += 1;
        return [{ kind: 'same', line: newLine++, text }];
      });
      return at === 0 ? rows : [{ kind: 'gap', line: null, text: '' }, ...rows];
    })
    .slice(0, MAX_ROWS);
}

function wholeRows(kind: 'added' | 'removed', text: string): readonly DiffRow[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .slice(0, MAX_ROWS)
    .map((row, at) => ({ kind, line: at + 1, text: row }));
}
