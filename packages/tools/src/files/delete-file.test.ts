import { createMemoryFiles, hashOf } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { deleteFile } from './delete-file.tool.ts';
import { readFile } from './read-file.tool.ts';
import { aToolContext, call, failureOf } from '../testing/tool-context.ts';
import { writeFile } from './write-file.tool.ts';

function withFiles() {
  const files = createMemoryFiles({ files: { 'a.txt': 'one\ntwo\n', 'src/b.txt': '' } });
  return { files, context: aToolContext({ files }) };
}

test('a file that was read is deleted, and can be created again', async () => {
  const { files, context } = withFiles();
  await call(readFile, { path: 'a.txt' }, context);
  expect(await call(deleteFile, { path: 'a.txt' }, context)).toEqual({
    output: 'a.txt: deleted, +0 -2 lines',
    files: [{ path: 'a.txt', kind: 'deleted', hash: null, linesAdded: 0, linesRemoved: 2 }],
  });
  await call(writeFile, { path: 'a.txt', content: 'new' }, context);
  expect(files.texts()['a.txt']).toBe('new');
});

test('a file that was never read is not deleted', async () => {
  const { files, context } = withFiles();
  expect((await failureOf(call(deleteFile, { path: 'a.txt' }, context))).code).toBe('stale-write');
  expect(Object.keys(files.texts())).toContain('a.txt');
});

test('a file that changed since it was read is not deleted', async () => {
  const { files, context } = withFiles();
  await call(readFile, { path: 'a.txt' }, context);
  await files.write('a.txt', 'one\n2\n', { expected: hashOf('one\ntwo\n') });
  const failure = await failureOf(call(deleteFile, { path: 'a.txt' }, context));
  expect(failure.why).toEqual(['What changed since:', '@@ -1,2 +1,2 @@', ' one', '-two', '+2']);
  expect(files.texts()['a.txt']).toBe('one\n2\n');
});

test('a missing file is a failure', async () => {
  const { context } = withFiles();
  expect((await failureOf(call(deleteFile, { path: 'c.txt' }, context))).code).toBe('not-found');
});

test('an empty directory is deleted, a non-empty one is not', async () => {
  const { context } = withFiles();
  expect((await failureOf(call(deleteFile, { path: 'src' }, context))).code).toBe('not-a-file');
  await call(readFile, { path: 'src/b.txt' }, context);
  await call(deleteFile, { path: 'src/b.txt' }, context);
  expect((await call(deleteFile, { path: 'src' }, context)).output).toBe(
    'src: deleted, it was an empty directory',
  );
});
