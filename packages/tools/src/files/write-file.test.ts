import { createReadHashes } from '@signalbox/core';
import { createMemoryFiles, hashOf } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { editFile } from './edit-file.tool.ts';
import { readFile } from './read-file.tool.ts';
import { aToolContext, call, failureOf } from '../testing/tool-context.ts';
import { writeFile } from './write-file.tool.ts';

/** Two sessions on the same files. */
function twoSessions(text = 'a\nb\nc\nd\ne\n') {
  const files = createMemoryFiles({ files: { 'a.txt': text } });
  return {
    files,
    mine: aToolContext({ files, readHashes: createReadHashes() }),
    theirs: aToolContext({ files, readHashes: createReadHashes() }),
  };
}

test('a new file is created with its folders, and counts as read by its writer (S000-93, S003-18)', async () => {
  const { files, mine } = twoSessions();
  expect(await call(writeFile, { path: 'src/b.txt', content: '1\n2' }, mine)).toEqual({
    output: 'src/b.txt: created, +2 -0 lines',
    files: [{ path: 'src/b.txt', kind: 'created', hash: hashOf('1\n2'), linesAdded: 2, linesRemoved: 0 }],
  });
  await call(writeFile, { path: 'src/b.txt', content: '1\n3\n' }, mine);
  expect(files.texts()['src/b.txt']).toBe('1\n3\n');
});

test('a file that was read is overwritten', async () => {
  const { mine } = twoSessions();
  await call(readFile, { path: 'a.txt' }, mine);
  const content = 'a\nB\nc\nd\ne\n';
  expect(await call(writeFile, { path: 'a.txt', content }, mine)).toEqual({
    output: 'a.txt: modified, +1 -1 lines',
    files: [{ path: 'a.txt', kind: 'modified', hash: hashOf(content), linesAdded: 1, linesRemoved: 1 }],
  });
});

test('an existing file that was never read is shown instead of written, for the next call', async () => {
  const { files, mine } = twoSessions();
  const failure = await failureOf(call(writeFile, { path: 'a.txt', content: 'x' }, mine));
  expect(failure.toFailure()).toEqual({
    code: 'stale-write',
    category: 'InvalidParameters',
    message: 'Cannot write "a.txt": it exists and you have not read it. Nothing was written',
    suggestion: 'Redo your change on its text, which is shown below and now counts as read',
    why: ['a.txt holds:', 'a', 'b', 'c', 'd', 'e', ''],
    visibility: 'visible',
  });
  expect(files.texts()['a.txt']).toBe('a\nb\nc\nd\ne\n');
  await call(writeFile, { path: 'a.txt', content: 'x' }, mine);
  expect(files.texts()['a.txt']).toBe('x');
});

test('a file too long to be shown has to be read', async () => {
  const { mine } = twoSessions('x'.repeat(6001));
  for (let tries = 0; tries < 2; tries++) {
    const failure = await failureOf(call(writeFile, { path: 'a.txt', content: 'x' }, mine));
    expect(failure.toFailure().suggestion).toContain('Read it first with read_file');
  }
});

test('stale_write: merge merges a stale write if that is clean, and shows the changes of others', async () => {
  const { files, mine, theirs } = twoSessions();
  const merging = { ...mine, staleWrite: 'merge' } as const;
  await call(readFile, { path: 'a.txt' }, mine);
  await call(readFile, { path: 'a.txt' }, theirs);
  await call(writeFile, { path: 'a.txt', content: 'a\nb\nc\nd\nTHEIRS\n' }, theirs);
  const done = await call(writeFile, { path: 'a.txt', content: 'MINE\nb\nc\nd\ne\n' }, merging);
  expect(done.output).toBe(
    [
      'a.txt: modified, +1 -1 lines',
      'merged with what others changed since you read it:',
      '@@ -3,3 +3,3 @@',
      ' c',
      ' d',
      '-e',
      '+THEIRS',
    ].join('\n'),
  );
  expect(files.texts()['a.txt']).toBe('MINE\nb\nc\nd\nTHEIRS\n');
  await call(editFile, { path: 'a.txt', oldText: 'THEIRS', newText: 'both' }, merging);

  await call(editFile, { path: 'a.txt', oldText: 'b\n', newText: 'same\n' }, merging);
  await call(readFile, { path: 'a.txt' }, theirs);
  await call(writeFile, { path: 'a.txt', content: 'MINE\n1\nc\nd\nboth\n' }, theirs);
  const failure = await failureOf(
    call(editFile, { path: 'a.txt', oldText: 'same\n', newText: '1\n' }, merging),
  );
  expect(failure.code).toBe('stale-write');
});

test('a file that changed since it was read is not written, and the change is shown (L-36)', async () => {
  const { files, mine, theirs } = twoSessions();
  await call(readFile, { path: 'a.txt' }, mine);
  await call(readFile, { path: 'a.txt' }, theirs);
  await call(writeFile, { path: 'a.txt', content: 'a\nb\nTHEIRS\nd\ne\n' }, theirs);

  const failure = await failureOf(call(writeFile, { path: 'a.txt', content: 'MINE' }, mine));
  expect(failure.toFailure()).toEqual({
    code: 'stale-write',
    category: 'InvalidParameters',
    message: 'Cannot write "a.txt": it changed since you read it. Nothing was written',
    suggestion: 'Read the file again and redo your change on the new text',
    why: ['What changed since:', '@@ -1,5 +1,5 @@', ' a', ' b', '-c', '+THEIRS', ' d', ' e'],
    visibility: 'visible',
  });
  expect(files.texts()['a.txt']).toBe('a\nb\nTHEIRS\nd\ne\n');

  await call(readFile, { path: 'a.txt' }, mine);
  await call(writeFile, { path: 'a.txt', content: 'MINE' }, mine);
  expect(files.texts()['a.txt']).toBe('MINE');
});

test('a rejected write does not count as a read: the second try is rejected as well', async () => {
  const { mine, theirs } = twoSessions();
  await call(readFile, { path: 'a.txt' }, mine);
  await call(readFile, { path: 'a.txt' }, theirs);
  await call(writeFile, { path: 'a.txt', content: 'theirs' }, theirs);
  for (let tries = 0; tries < 2; tries++) {
    const failure = await failureOf(call(writeFile, { path: 'a.txt', content: 'mine' }, mine));
    expect(failure.code).toBe('stale-write');
  }
});

test('a file created since the session saw none is not written', async () => {
  const { mine, theirs } = twoSessions();
  await failureOf(call(readFile, { path: 'new.txt' }, mine));
  await call(writeFile, { path: 'new.txt', content: 'theirs\n' }, theirs);
  const failure = await failureOf(call(writeFile, { path: 'new.txt', content: 'mine\n' }, mine));
  expect(failure.message).toBe(
    'Cannot write "new.txt": it was created since you looked. Nothing was written',
  );
  expect(failure.why).toEqual(['What changed since:', '@@ -0,0 +1,1 @@', '+theirs']);
});

test('a long diff is shown in at most 60 lines', async () => {
  const { mine, theirs } = twoSessions();
  await call(readFile, { path: 'a.txt' }, mine);
  await call(readFile, { path: 'a.txt' }, theirs);
  await call(writeFile, { path: 'a.txt', content: 'x\n'.repeat(500) }, theirs);
  const failure = await failureOf(call(writeFile, { path: 'a.txt', content: 'mine' }, mine));
  expect(failure.why).toHaveLength(61);
  expect(failure.why.at(-1)).toMatch(/^… \d+ more lines of difference$/);
});

test('overwrite false creates files only (S002-26)', async () => {
  const { files, mine } = twoSessions();
  await call(readFile, { path: 'a.txt' }, mine);
  const failure = await failureOf(call(writeFile, { path: 'a.txt', content: 'x', overwrite: false }, mine));
  expect(failure.code).toBe('file-exists');
  await call(writeFile, { path: 'b.txt', content: 'x', overwrite: false }, mine);
  expect(files.texts()).toEqual({ 'a.txt': 'a\nb\nc\nd\ne\n', 'b.txt': 'x' });
});

test('writing the current text touches no file', async () => {
  const { mine } = twoSessions();
  await call(readFile, { path: 'a.txt' }, mine);
  expect(await call(writeFile, { path: 'a.txt', content: 'a\nb\nc\nd\ne\n' }, mine)).toEqual({
    output: 'a.txt: it already has exactly that text',
    files: [],
  });
});

test('more than 10 MB is rejected before anything is judged (S000-45)', () => {
  const over = 'é'.repeat(5 * 1024 * 1024 + 1);
  expect(writeFile.args.safeParse({ path: 'a', content: over }).success).toBe(false);
  expect(writeFile.args.safeParse({ path: 'a', content: over.slice(1) }).success).toBe(true);
});

test('a path outside the workspace is rejected', async () => {
  const { mine } = twoSessions();
  expect((await failureOf(call(writeFile, { path: '../a.txt', content: 'x' }, mine))).code).toBe(
    'path_not_allowed',
  );
});
