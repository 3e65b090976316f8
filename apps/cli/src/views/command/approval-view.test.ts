import type { CallPreview } from '@signalbox/core';
import { aCall, aCallContext, aProviderId } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anAskedCommand, aVerdict } from '../../testing/records.ts';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { approvalKeys, approvalView } from './approval-view.ts';

const dangerous = anAskedCommand('rm -rf dist coverage && npm run build', 'dangerous', {
  reasons: [
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
  overrides: {
    context: aCallContext({
      provider: aProviderId('deepseek'),
      says: 'Clear stale build output, then build',
      task: 'Make the tests pass',
    }),
  },
});

test('a dangerous shell line is shown whole, with its reasons, effects and who asks (S003-36)', () => {
  expect(screenText(approvalView({ record: dangerous, full: false }, RENDER))).toMatchInlineSnapshot(`
      " ! DANGEROUS   deepseek wants to run a shell line               p9ze   4:19 left
         rm -rf dist coverage && npm run build
         ~~~~~~~~~1~~~~~~~~~~    ~~~~~~2~~~~~~
         1 dangerous  deletes recursively: dist (14 files), coverage (231 files)
         2 safe       runs repository code: package.json "build"
         Touches  no network · no secrets
         Rule     dangerous-asks (built in): dangerous calls always need approval
         Says     “Clear stale build output, then build” (deepseek)
         Covers   this exact call (3fa9c1d0)"
    `);
  expect(
    screenText([approvalKeys(dangerous, { approve: true, change: true, remember: false })]),
  ).toMatchInlineSnapshot(`" [A]pprove  [D]eny  [M]odify  [V]iew  [+]5m  [?]  [Esc] later"`);
});

test('paths and ids that the model may have made up are marked (S001-123)', () => {
  const suspects = [
    { kind: 'path', text: 'src/crt.ts', nearest: ['src/cart.ts'] },
    { kind: 'id', text: '1a2b3c4', nearest: [] },
  ] as const;
  const shown = screenText(approvalView({ record: { ...dangerous, suspects }, full: false }, RENDER));
  expect(shown).toContain(`   Possibly made up: src/crt.ts does not exist (did it mean src/cart.ts?)
   Possibly made up: 1a2b3c4 appears nowhere in its conversation
   Touches`);
});

const UNDOABLE = {
  undo: { kind: 'yes', until: 'for 7 days' },
  neighbours: [],
} as const;

test('a file call shows its change instead of a line', () => {
  const record = {
    ...anAskedCommand('', 'warning', {
      reasons: [{ level: 'warning', code: 'ci', text: 'changes what CI runs' }],
    }),
    call: aCall({
      tool: 'write_file',
      args: { path: 'ci.yml', content: 'steps:\n- run: npm test -- --coverage\n' },
    }),
  };
  const patch =
    '--- a/ci.yml\n+++ b/ci.yml\n@@ -1,2 +1,2 @@\n steps:\n-- run: npm test\n+- run: npm test -- --coverage';
  const preview: CallPreview = {
    ...UNDOABLE,
    title: 'Overwrite ci.yml',
    parts: [{ kind: 'diff', heading: 'Change', files: [], fileCount: 1, patch, isCut: false }],
  };
  expect(screenText(approvalView({ record, full: false, preview, position: { number: 1, of: 3 } }, RENDER)))
    .toMatchInlineSnapshot(`
    " ! WARNING   deepseek wants to write a file             1 of 3  p9ze   4:19 left
       Overwrite ci.yml
       ci.yml
       @@ -1,2 +1,2 @@
        steps:
       -- run: npm test
       +- run: npm test -- --coverage
       Undo     yes, for 7 days
       1 warning    changes what CI runs
       Touches  no network · no secrets
       Rule     dangerous-asks (built in): dangerous calls always need approval
       Covers   this exact call (3fa9c1d0)"
  `);
  // If the patch is cut, the whole new text is shown.
  const cut: CallPreview = {
    ...preview,
    parts: [{ kind: 'diff', heading: 'Change', files: [], fileCount: 1, patch, isCut: true }],
  };
  expect(screenText(approvalView({ record, full: false, preview: cut }, RENDER))).toContain(
    '+steps:\n   +- run: npm test -- --coverage',
  );
});

test('effects come before the keys: what is deleted, pushed, run and reached, and whether undo restores it (U-M2)', () => {
  const preview: CallPreview = {
    title: 'Delete 18 files under docs/Guides, force-push main to origin and run deploy.sh',
    parts: [
      {
        kind: 'removal',
        path: 'docs/Guides',
        isFolder: true,
        files: 18,
        bytes: 41_984,
        names: ['docs/Guides/A.md', 'docs/Guides/B.md', 'docs/Guides/C.md', 'docs/Guides/D.md'],
        isCounted: true,
      },
      {
        kind: 'push',
        remote: 'origin',
        url: 'https://example.com/x.git',
        from: 'main',
        to: 'main',
        deed: 'overwrite',
        commits: [{ id: 'a1b2c3d', subject: 'Fix it' }],
        commitCount: 1,
        lost: [{ id: 'd4e5f6a', subject: 'Theirs' }],
        lostCount: 3,
        notes: [],
      },
      { kind: 'script', path: 'deploy.sh', text: 'set -e\ncurl https://example.com\n', isCut: false },
      { kind: 'hosts', hosts: ['example.com'], isOpen: true },
      { kind: 'unavailable', what: 'what would be committed', why: 'git is not installed' },
    ],
    undo: { kind: 'no', why: 'pushed commits stay on the remote' },
    neighbours: [{ resource: 'tree:docs', provider: 'openai', title: 'run_tests', relation: 'holds' }],
  };
  expect(screenText(approvalView({ record: dangerous, full: false, preview }, RENDER)))
    .toMatchInlineSnapshot(`
    " ! DANGEROUS   deepseek wants to run a shell line               p9ze   4:19 left
       Delete 18 files under docs/Guides, force-push main to origin and run
       deploy.sh
       rm -rf dist coverage && npm run build
       ~~~~~~~~~1~~~~~~~~~~    ~~~~~~2~~~~~~
       Deletes  18 files, 41 KiB under docs/Guides
                docs/Guides/A.md
                docs/Guides/B.md
                docs/Guides/C.md
                and 15 more
       Remote   origin https://example.com/x.git
       Sends    main → main: 1 commit
                a1b2c3d Fix it
       Loses    3 commits of the remote, as of the last fetch
                d4e5f6a Theirs
                and 2 more
       Script   deploy.sh
                set -e
                curl https://example.com
       Network  example.com, and others that aren’t known beforehand
       Unknown  what would be committed could not be computed: git is not installed
       Undo     no: pushed commits stay on the remote
       1 dangerous  deletes recursively: dist (14 files), coverage (231 files)
       2 safe       runs repository code: package.json "build"
       Touches  no network · no secrets
       Rule     dangerous-asks (built in): dangerous calls always need approval
       Held     tree:docs by openai: run_tests
       Says     “Clear stale build output, then build” (deepseek)
       Covers   this exact call (3fa9c1d0)"
  `);
});

test('a foreign tool is shown by its kind, with every argument, whatever they are called (R-A3)', () => {
  const origin = {
    server: 'evil',
    tool: 'run',
    confinement: 'no sandbox: runs with all your rights',
    isConfined: false,
  };
  const args = { line: 'npm test', path: 'README.md', content: 'hello', action: { drop: ['a\nb'] } };
  const record = {
    ...anAskedCommand('', 'warning', { reasons: [] }),
    call: aCall({ tool: 'mcp__evil__run', args }),
    origin,
  };
  const rows = screenText(approvalView({ record, full: false }, RENDER)).split('\n');
  expect(rows.slice(0, 9).map((row) => row.trimEnd())).toEqual([
    expect.stringMatching(/^ ! WARNING {3}deepseek wants to call run of the MCP server evil/),
    '   no sandbox: runs with all your rights',
    '   line: npm test',
    '   path: README.md',
    '   content: hello',
    '   action: {',
    '     "drop": [',
    '       "a\\nb"',
    '     ]',
  ]);
  const long = {
    ...record,
    call: aCall({ tool: 'mcp__evil__run', args: { a: 'x'.repeat(3000), z: 'last' } }),
  };
  const text = screenText(approvalView({ record: long, full: false }, RENDER));
  expect(text).toContain('1,000 more characters (v shows all)');
  expect(text).toContain('z: last');
});

test('the folder of a line is shown with it, and a flood of blank lines is counted (R-D)', () => {
  const record = anAskedCommand(`bash x.sh\n${'\n'.repeat(60)}rm -rf src`, 'dangerous', { reasons: [] });
  const call = aCall({ tool: 'bash', args: { ...record.call.args, cwd: 'sub' } });
  const text = screenText(approvalView({ record: { ...record, call }, full: false }, RENDER));
  expect(text).toContain('\n   in sub:\n   bash x.sh\n   ⋯ 60 blank lines\n   rm -rf src\n');
});

test('characters that a terminal would hide or obey are escaped, with a warning', () => {
  const record = anAskedCommand('echo safe\u202E#; rm -rf \x1b[2K/', 'dangerous', { reasons: [] });
  const text = screenText(approvalView({ record, full: false }, RENDER));
  expect(text).toContain('echo safe<U+202E>#; rm -rf \\x1b[2K/');
  expect(text).toContain('contains invisible or reordering characters');
});

test('a blocked call can’t be approved', () => {
  const record = { ...dangerous, verdict: aVerdict('blocked', []) };
  expect(screenText([approvalKeys(record, { approve: true, change: true, remember: false })])).toContain(
    'Blocked: can’t be approved',
  );
});

test('whatever a model writes, no control character reaches the screen and no row is too long', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(text, text, text, text, (line, says, task, reason) => {
      const record = {
        ...anAskedCommand(line, 'warning', {
          reasons: [{ level: 'warning', code: 'x', text: reason, span: { start: 0, end: 3 } }],
        }),
        context: aCallContext({ says, task }),
        title: `bash ${line}`,
      };
      const shown = screenText(approvalView({ record, full: true }, RENDER), Infinity);
      expect(shown).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    }),
    { numRuns: 300 },
  );
});

test('what would run is never shortened: every letter of any line is shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 600 }), (line) => {
      const record = anAskedCommand(line, 'warning', { reasons: [] });
      const shown = screenText(approvalView({ record, full: false }, RENDER), Infinity);
      const wanted = line.replaceAll(/ {9,}/g, (run) => `·×${run.length}`).replaceAll(/\s/g, '');
      expect(shown.replaceAll(/\s/g, '')).toContain(wanted);
    }),
    { numRuns: 300 },
  );
});
