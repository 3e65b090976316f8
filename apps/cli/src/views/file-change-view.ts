import { createPatch } from 'diff';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { diffRow } from './diff-row.ts';

/** A file that is to be changed, or was. */
export type FileChange = Readonly<{
  /** As people know it. */
  name: string;
  /** What the change or the file is for, few words. */
  purpose: string;
  /** Null where there is none. */
  before: string | null;
  /** Null where it is to go. */
  after: string | null;
}>;

/** What changes in a file, row by row. */
export function fileChangeView({ name, purpose, before, after }: FileChange): readonly Line[] {
  const head = line(as('bold', name), muted(` · ${purpose}`));
  if (before === after) return [head, line(muted('  as it should be'))];
  const rows = createPatch(name, before ?? '', after ?? '', '', '', { context: 2 })
    .split('\n')
    .slice(4);
  return [
    head,
    ...rows
      .filter((row) => row !== '' && !row.startsWith('\\') && !row.startsWith('@@'))
      .map((row) => line('  ', ...diffRow(row))),
  ];
}
