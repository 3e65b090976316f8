import { aCall, aCallContext, aProviderId } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anAskedCommand, aVerdict } from '../testing/records.ts';
import { LOOK, screenText } from '../testing/screen-text.ts';
import { approvalKeys, approvalView } from './approval-view.ts';

const dangerous = anAskedCommand(
  'rm -rf dist coverage && npm run build',
  'dangerous',
  [
    {
      level: 'dangerous',
      code: 'delete-recursive',
      text: 'deletes recursively: dist (14 files), coverage (231 files)',
      span: { start: 0, end: 20 },
    },
    {
      level: 'safe',
      code: 'script',
      text: 'runs repository code: package.json "build"',
      span: { start: 24, end: 37 },
    },
  ],
  {
    context: aCallContext({
      provider: aProviderId('deepseek'),
      says: 'Clear stale build output, then build',
      task: 'Make the tests pass',
    }),
  },
);

test('a dangerous shell line is shown whole, with its reasons, what it touches and who asks', () => {
  expect(screenText(approvalView({ record: dangerous, isolation: null, full: false }, LOOK)))
    .toMatchInlineSnapshot(`
    " ! DANGEROUS   deepseek asks to run a shell line                p9ze   4:19 left
       rm -rf dist coverage && npm run build
       ~~~~~~~~~1~~~~~~~~~~    ~~~~~~2~~~~~~
       1 dangerous  deletes recursively: dist (14 files), coverage (231 files)
       2 safe       runs repository code: package.json "build"
       Says     “Clear stale build output, then build” (deepseek)
       Touches  no network · no secrets
       Asked by rule dangerous-asks (built in): dangerous calls always ask
       Binds    call 3fa9c1d0"
  `);
  expect(
    screenText([approvalKeys(dangerous, { approve: true, change: true, remember: false })]),
  ).toMatchInlineSnapshot(`" [A]pprove  [D]eny  [M]odify  [V]iew  [R] never here  [+]5m  [?]  [Esc] later"`);
});

test('a file call shows what would change instead of a line', () => {
  const before = 'jobs:\n  test:\n    steps:\n    - run: npm ci\n    - run: npm test\n';
  const record = {
    ...anAskedCommand('', 'warning', [{ level: 'warning', code: 'ci', text: 'changes what CI runs' }]),
    call: aCall({
      tool: 'write_file',
      args: {
        path: '.github/workflows/ci.yml',
        content: before.replace('npm test', 'npm test -- --coverage\n    - run: npx publish-report'),
      },
    }),
  };
  expect(
    screenText(
      approvalView({ record, isolation: null, full: false, before, place: { number: 1, of: 3 } }, LOOK),
    ),
  ).toMatchInlineSnapshot(`
    " ! WARNING   deepseek asks to write a file              1 of 3  p9ze   4:19 left
       .github/workflows/ci.yml
       @@ -2,4 +2,5 @@
          test:
            steps:
            - run: npm ci
       -    - run: npm test
       +    - run: npm test -- --coverage
       +    - run: npx publish-report
       1 warning    changes what CI runs
       Touches  no network · no secrets
       Asked by rule dangerous-asks (built in): dangerous calls always ask
       Binds    call 3fa9c1d0"
  `);
});

test('what a terminal would hide or obey is written out, and said', () => {
  const record = anAskedCommand('echo safe\u202E#; rm -rf \x1b[2K/', 'dangerous', []);
  const text = screenText(approvalView({ record, isolation: null, full: false }, LOOK));
  expect(text).toContain('echo safe<U+202E>#; rm -rf \\x1b[2K/');
  expect(text).toContain('the text holds characters that a terminal would hide or reorder');
});

test('a blocked call offers no yes', () => {
  const record = { ...dangerous, verdict: aVerdict('blocked', []) };
  expect(screenText([approvalKeys(record, { approve: true, change: true, remember: false })])).toContain(
    '[A] never (blocked)',
  );
});

test('whatever a model says or asks for, no control character reaches the screen and no row is too long', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(text, text, text, text, (line, says, task, reason) => {
      const record = {
        ...anAskedCommand(line, 'warning', [
          { level: 'warning', code: 'x', text: reason, span: { start: 0, end: 3 } },
        ]),
        context: aCallContext({ says, task }),
        title: `bash ${line}`,
      };
      const shown = screenText(approvalView({ record, isolation: null, full: true }, LOOK), Infinity);
      expect(shown).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    }),
    { numRuns: 300 },
  );
});

test('what would run is never shortened: the letters of any line are all there', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 600 }), (line) => {
      const record = anAskedCommand(line, 'warning', []);
      const shown = screenText(approvalView({ record, isolation: null, full: false }, LOOK), Infinity);
      const wanted = line.replaceAll(/ {9,}/g, (run) => `·×${run.length}`).replaceAll(/\s/g, '');
      expect(shown.replaceAll(/\s/g, '')).toContain(wanted);
    }),
    { numRuns: 300 },
  );
});
