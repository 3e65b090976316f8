import { expect, test } from 'vitest';
import { renderLine } from '../../terminal/render.ts';
import { diffRow } from './diff-row.ts';

test.each([
  ['a row that came, deeply indented', `+${' '.repeat(16)}return 1;`, `+${' '.repeat(16)}return 1;`],
  ['more blanks than anybody indents by', `-${' '.repeat(60)}rm -rf /`, `-${' '.repeat(40)}·×20rm -rf /`],
  ['blanks within the row', ` a${' '.repeat(20)}b`, ' a·×20b'],
])('%s is shown unchanged, and blanks that may hide something are counted', (_, row, shown) => {
  expect(renderLine(diffRow(row), { width: 100, colour: false, ascii: false })).toContain(shown);
});
