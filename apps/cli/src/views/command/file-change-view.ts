import { createPatch } from 'diff';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { diffRow } from './diff-row.ts';

/** A file to be changed, or already changed. */
export type FileChange = Readonly<{
  /** Display name. */
  name: string;
  /** The purpose of the change or the file, in few words. */
  purpose: string;
  /** Null if there is none. */
  before: string | null;
  /** Null if it is removed. */
  after: string | null;
}>;

/** The change of a file, row by row. */
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
