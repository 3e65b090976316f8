import { structuredPatch } from 'diff';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffRows } from '../parts/diff-rows.ts';
import { patchRows } from './patch-rows.ts';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '+x', '-y'), { maxLength: 30 })
  .map((lines) => lines.join('\n'));

/** As the server writes it: two lines that name the file, then hunks. */
function patchOf(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  const rows = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldLines === 0 ? oldStart - 1 : oldStart},${oldLines} +${newLines === 0 ? newStart - 1 : newStart},${newLines} @@`,
    ...lines,
  ]);
  return ['--- a/f', '+++ b/f', ...rows].join('\n');
}

/** The lines of one side, from its rows. */
function side(rows: ReturnType<typeof patchRows>['rows'], gone: 'added' | 'removed'): readonly string[] {
  return rows.flatMap(({ kind, text }) => (kind === gone || kind === 'gap' ? [] : [text]));
}

test('a patch read forwards has the rows of the same diff made here', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { rows } = patchRows(patchOf(before, after), 'forth');
      expect(rows.map(({ kind, text }) => [kind, text])).toEqual(
        diffRows(before, after).map(({ kind, text }) => [kind, text]),
      );
    }),
  );
});

test('a patch read backwards removes what was added and restores what was removed', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const patch = patchOf(before, after);
      const forth = patchRows(patch, 'forth').rows;
      const back = patchRows(patch, 'back').rows;
      expect(side(back, 'added')).toEqual(side(forth, 'removed'));
      expect(side(back, 'removed')).toEqual(side(forth, 'added'));
    }),
  );
});

test('a patch read backwards shows removals before additions', () => {
  const { rows } = patchRows('--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-old\n+new', 'back');
  expect(rows).toEqual([
    { kind: 'removed', line: 1, text: 'new' },
    { kind: 'added', line: 1, text: 'old' },
  ]);
});

test('a binary file has a note instead of rows', () => {
  expect(patchRows('--- a/x.png\n+++ b/x.png\nBinary files differ', 'forth')).toEqual({
    rows: [],
    note: 'Binary files differ',
  });
});
