import { createMemoryFiles } from '@signalbox/core/testing';
import { hashOf } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { readFile } from './read-file.tool.ts';
import { aToolContext, call, failureOf, outputOf } from '../testing/tool-context.ts';

const text = 'one\ntwo\r\nthree';

function withFile(content = text) {
  return aToolContext({ files: createMemoryFiles({ files: { 'src/a.txt': content } }) });
}

test('a whole file is returned unchanged, without line numbers or notice (S000-93, S003-17)', async () => {
  expect(await call(readFile, { path: './src/../src/a.txt' }, withFile())).toEqual({
    output: text,
    files: [{ path: 'src/a.txt', kind: 'read', hash: hashOf(text) }],
  });
});

test('a range is returned with a line that says what part it is', async () => {
  expect(await outputOf(readFile, { path: 'src/a.txt', firstLine: 2, lastLine: 2 }, withFile())).toBe(
    '[lines 2 to 2 of 3; ask for others with firstLine and lastLine]\ntwo\r\n',
  );
});

test('a range past the end is a failure that says how many lines there are', async () => {
  const failure = await failureOf(call(readFile, { path: 'src/a.txt', firstLine: 4 }, withFile()));
  expect(failure.toFailure()).toMatchObject({
    code: 'no-such-lines',
    category: 'InvalidParameters',
    message: 'Cannot read lines 4 to the last of "src/a.txt": it has 3',
  });
});

test('an empty file is returned as an empty text', async () => {
  expect(await outputOf(readFile, { path: 'src/a.txt' }, withFile(''))).toBe('');
});

test('the read hash covers the whole file, even if a part was requested', async () => {
  const context = withFile();
  await call(readFile, { path: 'src/a.txt', firstLine: 1, lastLine: 1 }, context);
  expect(context.readHashes.get('src/a.txt')).toEqual({ hash: hashOf(text), text });
});

test('a missing file is recorded as read too', async () => {
  const context = withFile();
  expect((await failureOf(call(readFile, { path: 'src/b.txt' }, context))).code).toBe('not-found');
  expect(context.readHashes.get('src/b.txt')).toEqual({ hash: null, text: null });
});

test('a file over the requested size is rejected (S000-36)', async () => {
  const context = withFile('x'.repeat(2 * 1024 * 1024));
  expect((await failureOf(call(readFile, { path: 'src/a.txt', maxSizeMb: 1 }, context))).code).toBe(
    'too-large',
  );
  expect(context.readHashes.get('src/a.txt')).toBeUndefined();
});

test('more than 10 MB cannot be requested (S000-36)', () => {
  expect(readFile.args.safeParse({ path: 'a', maxSizeMb: 11 }).success).toBe(false);
  expect(readFile.args.parse({ path: 'a' })).toMatchObject({ maxSizeMb: 10 });
});

test('a misspelt path gets suggestions (V5, S000-63)', async () => {
  const context = aToolContext({
    files: createMemoryFiles({ files: { 'src/a.js': '', 'src/other.js': '' } }),
  });
  const failure = await failureOf(call(readFile, { path: 'src/aa.js' }, context));
  expect(failure.suggestion).toBe('Did you mean src/a.js?');
  const beside = aToolContext({ files: createMemoryFiles({ files: { 'src/a.js': '', 'lib/a.jsx': '' } }) });
  expect((await failureOf(call(readFile, { path: 'src/a.jsx' }, beside))).suggestion).toBe(
    'Did you mean src/a.js?',
  );
  const far = await failureOf(call(readFile, { path: 'lib/zzz.md' }, context));
  expect(far.suggestion ?? '').not.toContain('Did you mean');
});
