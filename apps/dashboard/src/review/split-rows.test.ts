import { expect, test } from 'vitest';
import { patchRows } from '../changes/patch-rows.ts';
import { splitRows } from './split-rows.ts';

test('removed lines are next to added ones, each with its own line number', () => {
  const head = '@@ -10,5 +12,5 @@';
  const patch = ['--- a/x', '+++ b/x', head, ' one', '-two', '-three', '+TWO', ' four', '+five', ' six'];
  const rows = splitRows(patchRows(patch.join('\n'), 'forth').rows, head);
  const shown = rows.map(({ before, after }) => [
    before === null ? '' : `${before.line} ${before.text}`,
    after === null ? '' : `${after.line} ${after.text}`,
  ]);
  expect(shown).toEqual([
    ['10 one', '12 one'],
    ['11 two', '13 TWO'],
    ['12 three', ''],
    ['13 four', '14 four'],
    ['', '15 five'],
    ['14 six', '16 six'],
  ]);
});
