import { createMemoryFiles, hashOf } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { editFile } from './edit-file.tool.ts';
import { readFile } from './read-file.tool.ts';
import { aToolContext, call, failureOf } from '../testing/tool-context.ts';

async function withRead(text: string) {
  const files = createMemoryFiles({ files: { 'a.ts': text } });
  const context = aToolContext({ files });
  await call(readFile, { path: 'a.ts' }, context);
  return { files, context };
}

test('one match is replaced, and the next edit applies to the new text', async () => {
  const { files, context } = await withRead('let a = 1;\nlet b = 2;\n');
  const after = 'let a = 1;\nlet b = 3;\n';
  expect(await call(editFile, { path: 'a.ts', oldText: 'b = 2', newText: 'b = 3' }, context)).toEqual({
    output: 'a.ts: modified, +1 -1 lines, 1 match replaced',
    files: [{ path: 'a.ts', kind: 'modified', hash: hashOf(after), linesAdded: 1, linesRemoved: 1 }],
  });
  await call(editFile, { path: 'a.ts', oldText: 'b = 3', newText: 'b = 4' }, context);
  expect(files.texts()['a.ts']).toBe('let a = 1;\nlet b = 4;\n');
});

test('a text that occurs more than once is not replaced, and its lines are listed', async () => {
  const { files, context } = await withRead('x\ny\nx\n');
  const failure = await failureOf(call(editFile, { path: 'a.ts', oldText: 'x', newText: 'z' }, context));
  expect(failure.toFailure()).toMatchObject({
    code: 'many-matches',
    message: 'Cannot edit "a.ts": oldText occurs in it 2 times. Nothing was written',
    why: ['At lines 1, 3'],
  });
  await call(editFile, { path: 'a.ts', oldText: 'x', newText: 'z', replaceAll: true }, context);
  expect(files.texts()['a.ts']).toBe('z\ny\nz\n');
});

test('a missing text is a failure with near misses', async () => {
  const { context } = await withRead('\tfoo();\n');
  const failure = await failureOf(
    call(editFile, { path: 'a.ts', oldText: '    foo();', newText: 'bar();' }, context),
  );
  expect(failure.toFailure()).toMatchObject({
    code: 'no-match',
    why: ['Line 1: the same except for white space; copy it exactly'],
  });
});

test('a file that was never read is not edited', async () => {
  const context = aToolContext({ files: createMemoryFiles({ files: { 'a.ts': 'x' } }) });
  const failure = await failureOf(call(editFile, { path: 'a.ts', oldText: 'x', newText: 'y' }, context));
  expect(failure.suggestion).toBe(
    'Redo your change on its text, which is shown below and now counts as read',
  );
});

test('a file that changed since it was read is not edited, even if the match is still there', async () => {
  const { files, context } = await withRead('x\ny\n');
  await files.write('a.ts', 'x\ny\nz\n', { expected: hashOf('x\ny\n') });
  const failure = await failureOf(call(editFile, { path: 'a.ts', oldText: 'x', newText: 'X' }, context));
  expect(failure.code).toBe('stale-write');
  expect(failure.why).toEqual(['What changed since:', '@@ -1,2 +1,3 @@', ' x', ' y', '+z']);
  expect(files.texts()['a.ts']).toBe('x\ny\nz\n');
});

test('a change that removed the match is a stale write, not a missing match', async () => {
  const { files, context } = await withRead('x\ny\n');
  await files.write('a.ts', 'y\n', { expected: hashOf('x\ny\n') });
  const failure = await failureOf(call(editFile, { path: 'a.ts', oldText: 'x', newText: 'X' }, context));
  expect(failure.code).toBe('stale-write');
});

test('a missing file is not edited', async () => {
  const context = aToolContext();
  const failure = await failureOf(call(editFile, { path: 'b.ts', oldText: 'x', newText: 'y' }, context));
  expect(failure.code).toBe('not-found');
});

test('an edit that changes nothing is rejected by its schema', () => {
  expect(editFile.args.safeParse({ path: 'a', oldText: 'x', newText: 'x' }).success).toBe(false);
});

test('an edit that would fail is rejected before approval, with the same message (S000-38)', async () => {
  const files = createMemoryFiles({ files: { 'a.txt': 'one\ntwo\none\n' } });
  const context = aToolContext({ files });
  const failures = async (args: Record<string, unknown>, contextOf = () => context) => {
    const parsed = editFile.args.parse(args);
    const before = await failureOf(editFile.precheck?.(parsed, contextOf()) ?? Promise.resolve());
    const under = await failureOf(call(editFile, args, contextOf()));
    expect(before.toFailure()).toEqual(under.toFailure());
    return before.code;
  };
  const edit = { path: 'a.txt', oldText: 'one', newText: 'ONE' };
  expect(await failures(edit, () => aToolContext({ files }))).toBe('stale-write');
  expect(await failures({ ...edit, path: 'missing.txt' })).toBe('not-found');
  await call(readFile, { path: 'a.txt' }, context);
  expect(await failures(edit)).toBe('many-matches');
  expect(await failures({ ...edit, oldText: 'three' })).toBe('no-match');
  await editFile.precheck?.(editFile.args.parse({ ...edit, oldText: 'two' }), context);
  expect(files.texts()['a.txt']).toBe('one\ntwo\none\n');
  await files.write('a.txt', 'two\n', { expected: hashOf('one\ntwo\none\n') });
  expect(await failures({ ...edit, oldText: 'two' })).toBe('stale-write');
});
