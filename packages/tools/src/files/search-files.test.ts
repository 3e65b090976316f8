import { createMemoryFiles } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { searchFiles } from './search-files.tool.ts';
import { aFolder } from '../testing/folder.ts';
import { anExecution, aToolContext, call, failureOf, outputOf } from '../testing/tool-context.ts';

const files = {
  'src/a.ts': 'const total = 1;\nlog(total);\n',
  'src/b.ts': 'Total\n',
  'notes.md': '-rf and a[0]\n',
  'secrets/key.txt': 'total secret\n',
};

test('lines that match a regular expression are listed by path and line', async () => {
  await using folder = await aFolder(files);
  expect(await outputOf(searchFiles, { pattern: 't[o]tal', path: 'src' }, folder.context)).toBe(
    ['src/a.ts:1:const total = 1;', 'src/a.ts:2:log(total);'].join('\n'),
  );
});

test('a literal pattern may begin with a dash and contain special characters', async () => {
  await using folder = await aFolder(files);
  expect(await outputOf(searchFiles, { pattern: '-rf', path: '.' }, folder.context)).toBe(
    'notes.md:1:-rf and a[0]',
  );
  expect(await outputOf(searchFiles, { pattern: 'a[0]', literal: true }, folder.context)).toBe(
    'notes.md:1:-rf and a[0]',
  );
  expect(await outputOf(searchFiles, { pattern: '--files', literal: true }, folder.context)).toBe(
    '[no match]',
  );
});

test('a path that looks like an option is a path', async () => {
  await using folder = await aFolder({ '--help': 'x\n' });
  expect(await outputOf(searchFiles, { pattern: 'x', path: '--help' }, folder.context)).toBe('--help:1:x');
});

test('case, glob and context are options', async () => {
  await using folder = await aFolder(files);
  expect(
    await outputOf(
      searchFiles,
      { pattern: 'TOTAL', ignoreCase: true, glob: '**/a.ts', contextLines: 1, maxMatches: 1 },
      folder.context,
    ),
  ).toBe(
    [
      'src/a.ts:1:const total = 1;',
      '[there are more matches: narrow the pattern, the path or the glob]',
    ].join('\n'),
  );
});

test('denied files are omitted and counted', async () => {
  await using folder = await aFolder(files, { isDenied: (path) => path === 'secrets' });
  expect(await outputOf(searchFiles, { pattern: 'total' }, folder.context)).toBe(
    [
      'src/a.ts:1:const total = 1;',
      'src/a.ts:2:log(total);',
      '[1 file not shown: reading it is denied (secrets, .signalbox, or a list such as tools.file.deny_read). Your user can look at it in a terminal, or change the list]',
    ].join('\n'),
  );
});

test('a long line is cut', async () => {
  await using folder = await aFolder({ 'min.js': `x${'y'.repeat(1000)}\n` });
  expect(await outputOf(searchFiles, { pattern: '^x' }, folder.context)).toBe(
    `min.js:1:x${'y'.repeat(399)} … 601 more characters`,
  );
});

test('an invalid pattern is a failure the caller can correct', async () => {
  await using folder = await aFolder(files);
  const failure = await failureOf(call(searchFiles, { pattern: 'a(' }, folder.context));
  expect(failure.toFailure()).toMatchObject({ code: 'bad-pattern', category: 'InvalidParameters' });
  expect(failure.why.join('\n')).toContain('unclosed group');
});

test('a machine without ripgrep is a failure and never "no match"', async () => {
  await using folder = await aFolder(files, { env: { PATH: '/nowhere' } });
  const failure = await failureOf(call(searchFiles, { pattern: 'total' }, folder.context));
  expect(failure.toFailure()).toMatchObject({
    code: 'search-failed',
    category: 'PermanentFailure',
    suggestion: expect.stringContaining('signalbox doctor'),
  });
});

test('a sandbox that cannot start ripgrep and ends with 1 is a failure and never "no match"', async () => {
  await using folder = await aFolder(files);
  const run = () =>
    Promise.resolve(anExecution({ stderr: 'bwrap: execvp rg: No such file or directory', exitCode: 1 }));
  const failure = await failureOf(call(searchFiles, { pattern: 'x' }, { ...folder.context, run }));
  expect(failure.why).toEqual(['bwrap: execvp rg: No such file or directory']);
});

test('a symbolic link and a missing path are rejected before ripgrep starts', async () => {
  const context = aToolContext({ files: createMemoryFiles({ symlinks: { link: 'a' } }) });
  expect((await failureOf(call(searchFiles, { pattern: 'x', path: 'link' }, context))).code).toBe(
    'not-a-file',
  );
  expect((await failureOf(call(searchFiles, { pattern: 'x', path: 'lib' }, context))).code).toBe('not-found');
});
