import { expect, test } from 'vitest';
import { screenText } from '../testing/screen-text.ts';
import { as, line, muted } from './line.ts';
import { wrapLine } from './wrap-line.ts';

test('a line wider than the screen breaks between words, and each piece keeps its role', () => {
  const row = line('  ', as('danger', 'failed'), ': cannot undo ', muted('it as it was edited'), '   +1 -1');
  const rows = wrapLine(row, 24);
  expect(screenText(rows, 24)).toBe(
    ['  failed: cannot undo it', '    as it was edited', '    +1 -1'].join('\n'),
  );
  expect(rows[1]?.filter(({ text }) => text.trim() !== '').map(({ role }) => role)).toEqual(
    Array.from({ length: 4 }, () => 'muted'),
  );
  expect(wrapLine(row, 80)).toEqual([row]);
});

test('a word longer than a row stays whole', () => {
  const rows = wrapLine(line(' a ', 'x'.repeat(30), ' b'), 20);
  expect(rows.map((row) => row.map(({ text }) => text).join(''))).toEqual([
    ' a',
    `   ${'x'.repeat(30)}`,
    '   b',
  ]);
});
