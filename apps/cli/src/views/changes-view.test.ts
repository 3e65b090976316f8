import { expect, test } from 'vitest';
import { screenText } from '../testing/screen-text.ts';
import { statView } from './changes-view.ts';

const file = (path: string, label: string, provider = 'openai') => ({
  path,
  provider,
  label,
  added: 1,
  removed: 2,
  patch: '',
  current: true,
});

test('files stand in one column, however different the lengths of their paths (U-B8)', () => {
  const rows = statView([file('docs/Reference/Errors.md', 'ex44'), file('a.ts', 'k7f3')], 'command');
  for (const width of [80, Infinity]) {
    expect(screenText(rows, width)).toBe(
      [
        ' a.ts                      +1 -2   openai +1 -2 (k7f3)',
        ' docs/Reference/Errors.md  +1 -2   openai +1 -2 (ex44)',
      ].join('\n'),
    );
  }
});

test('of a file that many commands changed the first are named and the others counted', () => {
  const many = Array.from({ length: 60 }, (_, n) => file('a.ts', `c${n}`));
  expect(screenText(statView(many, 'command'), Infinity)).toMatch(
    /^ a\.ts {2}\+60 -120( {3}openai \+1 -2 \(c[0-3]\)){4} {3}and 56 more: signalbox history --path a\.ts$/,
  );
  expect(screenText(statView(many, 'provider'), 200)).toBe(
    ' a.ts  +60 -120   openai +60 -120 (c0, c1, c2, c3, and 56 more)',
  );
});
