import type { DiffRow } from '../parts/diff-rows.ts';

/** `forth`: what the command did. `back`: what undoing it would do. */
export type PatchDirection = 'forth' | 'back';

export type PatchRows = Readonly<{
  rows: readonly DiffRow[];
  /** Why there are no rows, in the server's words: `Binary files differ`. */
  note: string | null;
}>;

/** More rows than anyone reads; `signalbox diff` shows all. */
const MAX_ROWS = 2000;
/** Git omits a count of one. */
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Rows of a patch in git's format, in either direction. */
export function patchRows(patch: string, direction: PatchDirection): PatchRows {
  const rows: DiffRow[] = [];
  const notes: string[] = [];
  let position: { old: number; new: number } | null = null;
  // The first two lines name the file.
  for (const row of patch.split('\n').slice(2)) {
    const hunk = HUNK.exec(row);
    if (hunk !== null) {
      if (position !== null) rows.push({ kind: 'gap', line: null, text: '' });
      position = { old: Number(hunk[1]), new: Number(hunk[2]) };
    } else if (position === null) {
      if (row !== '') notes.push(row);
    } else {
      const read = rowOf(row, direction, position);
      if (read !== null) rows.push(read);
    }
  }
  const shown = direction === 'back' ? removalsFirst(rows) : rows;
  return { rows: shown.slice(0, MAX_ROWS), note: notes.length === 0 ? null : notes.join(' ') };
}

function rowOf(
  row: string,
  direction: PatchDirection,
  position: { old: number; new: number },
): DiffRow | null {
  const text = row.slice(1);
  const isForth = direction === 'forth';
  switch (row[0]) {
    case '+':
      return { kind: isForth ? 'added' : 'removed', line: position.new++, text };
    case '-':
      return { kind: isForth ? 'removed' : 'added', line: position.old++, text };
    case ' ': {
      const [oldLine, newLine] = [position.old++, position.new++];
      return { kind: 'same', line: isForth ? newLine : oldLine, text };
    }
    default:
      return null;
  }
}

/** Read backwards, a patch has additions before removals; readers expect the reverse. */
function removalsFirst(rows: readonly DiffRow[]): readonly DiffRow[] {
  const ordered: DiffRow[] = [];
  let added: DiffRow[] = [];
  for (const row of rows) {
    if (row.kind === 'added') {
      added.push(row);
    } else if (row.kind === 'removed') {
      ordered.push(row);
    } else {
      ordered.push(...added, row);
      added = [];
    }
  }
  return [...ordered, ...added];
}
