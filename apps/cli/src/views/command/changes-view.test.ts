import { expect, test } from 'vitest';
import { screenText } from '../../testing/screen-text.ts';
import { patchView, statView } from './changes-view.ts';
import { fileDiff } from '../../runtime/contract/file-diff.ts';

const file = (
  path: string,
  label: string,
  { provider = 'openai' }: Readonly<{ provider?: string }> = {},
) => ({
  path,
  provider,
  label,
  added: 1,
  removed: 2,
  patch: '',
  current: true,
  byHand: false,
  since: null,
});

test('files are in one column, however different the lengths of their paths (U-B8)', () => {
  const files = [file('docs/Reference/Errors.md', 'ex44'), file('a.ts', 'k7f3')];
  for (const width of [80, Infinity]) {
    const rows = statView(files, 'command', { width });
    expect(screenText(rows, width)).toBe(
      [
        ' a.ts                      +1 -2   openai +1 -2 (k7f3)',
        ' docs/Reference/Errors.md  +1 -2   openai +1 -2 (ex44)',
      ].join('\n'),
    );
  }
});

test('facts that don’t fit next to a path are below it, and no word is broken', () => {
  const path = 'src/components/navigation/deeply/nested/navigation-menu.tsx';
  const since = 'edited by hand since';
  const rows = statView([{ ...file(path, 'aj8q'), since }, file('a.ts', 'k7f3')], 'command', { width: 80 });
  expect(screenText(rows, 80)).toBe(
    [
      ' a.ts  +1 -2   openai +1 -2 (k7f3)',
      ` ${path}`,
      '    +1 -2   openai +1 -2 (aj8q)   edited by hand since',
    ].join('\n'),
  );
});

test('of the many commands that changed a file the first are named and the others counted', () => {
  const many = Array.from({ length: 60 }, (_, n) => file('a.ts', `c${n}`));
  expect(screenText(statView(many, 'command', { width: Infinity }), Infinity)).toMatch(
    /^ a\.ts {2}\+60 -120( {3}openai \+1 -2 \(c[0-3]\)){4} {3}and 56 more: signalbox history --path a\.ts$/,
  );
  expect(screenText(statView(many, 'provider', { width: 200 }), 200)).toBe(
    ' a.ts  +60 -120   openai +60 -120 (c0, c1, c2, c3, and 56 more)',
  );
});

test('no file name and no removed line can pose as a row of the diff (R-D)', () => {
  const path = 'b\u001B[2Jb\n+++ b/other';
  const text = (written: string) => ({ kind: 'text', text: written }) as const;
  const change = {
    path,
    before: text('-- a/forged\n'),
    after: text('x\n'),
    isCurrent: true,
    isByHand: false,
  };
  const { patch } = fileDiff(change, (written) => written);
  const quoted = String.raw`"a/b\033[2Jb\n+++ b/other"`;
  expect(patch.split('\n').slice(0, 5)).toEqual([
    `--- ${quoted}`,
    `+++ ${quoted.replace('"a/', '"b/')}`,
    '@@ -1,1 +1,1 @@',
    '--- a/forged',
    '+x',
  ]);
  const roles = patchView({ ...file(path, 'c1'), patch }).map((row) => row[0]?.role);
  expect(roles).toEqual(['bold', 'bold', 'accent', 'danger', 'ok']);
});
