import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandId, type Files, LeaseLostError, type Writer } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFiles } from './files.ts';
import { hashOf } from './file-on-disk.ts';

let workspace: string;
let files: Files;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  files = createFiles({ workspace, commits: at('.signalbox/commits') });
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const at = (path: string): string => join(workspace, path);
const textAt = (path: string): string | null =>
  existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null;
const by = (label: string, mayChange: Writer['mayChange'] = async () => undefined): Writer => ({
  commandId: aCommandId(label),
  mayChange,
});
const kept = (label: string) => files.changesOf(aCommandId(label));

test('a file replaced by a tool is kept, shown and undone, and the undo can be undone', async () => {
  writeFileSync(at('a'), 'old', { mode: 0o640 });
  await files.write('a', 'new', { expected: hashOf('old'), by: by('w') });
  expect(statSync(at('a')).mode & 0o7777).toBe(0o640);
  expect(await kept('w')).toEqual([
    {
      path: 'a',
      before: { kind: 'text', text: 'old' },
      after: { kind: 'text', text: 'new' },
      isCurrent: true,
      isByHand: false,
    },
  ]);
  expect(await files.undo(aCommandId('w'), { isForced: false }, by('u'))).toEqual({
    kind: 'undone',
    changes: [{ path: 'a', kind: 'modified', hash: hashOf('old'), linesAdded: 1, linesRemoved: 1 }],
  });
  expect(textAt('a')).toBe('old');
  expect(await kept('w')).toMatchObject([{ after: { kind: 'text', text: 'new' }, isCurrent: false }]);
  await files.undo(aCommandId('u'), { isForced: false }, by('r'));
  expect(textAt('a')).toBe('new');
});

test('a copy of what a command left is kept to show later edits, except large files and secrets', async () => {
  const holdsSecret = (text: string): boolean => text.includes('secret');
  files = createFiles({
    workspace,
    commits: at('.signalbox/commits'),
    writer: { id: 'me', identity: null, holdsSecret },
  });
  const large = 'x'.repeat(300_000);
  for (const [path, text] of Object.entries({ a: 'theirs', b: large, c: 'gone', d: 'theirs', e: 'a secret' }))
    await files.write(path, text, { expected: 'absent', by: by(`w${path}`) });
  for (const path of ['a', 'b', 'e']) writeFileSync(at(path), 'mine');
  rmSync(at('c'));
  await files.write('d', 'next', { expected: hashOf('theirs'), by: by('x') });
  const shown = async (path: string) =>
    (await kept(`w${path}`))?.map(({ after, isByHand }) => [after, isByHand]);
  expect(await shown('a')).toEqual([[{ kind: 'text', text: 'theirs' }, true]]);
  expect(await shown('b')).toEqual([[{ kind: 'unknown' }, true]]);
  expect(await shown('e')).toEqual([[{ kind: 'unknown' }, true]]);
  expect(await shown('c')).toEqual([[{ kind: 'text', text: 'gone' }, true]]);
  expect(await shown('d')).toEqual([[{ kind: 'text', text: 'theirs' }, false]]);
});

test('undoing a new file removes its new folders, but not files of others in them', async () => {
  await files.write('d/e/f', 'x', { expected: 'absent', by: by('one') });
  await files.write('d/g/h', 'x', { expected: 'absent', by: by('two') });
  await files.undo(aCommandId('one'), { isForced: false }, by('u'));
  expect(await kept('one')).toMatchObject([{ path: 'd/e/f', after: { kind: 'text', text: 'x' } }]);
  expect([textAt('d/e/f'), existsSync(at('d/e')), textAt('d/g/h')]).toEqual([null, false, 'x']);
  await files.undo(aCommandId('two'), { isForced: false }, by('v'));
  expect(readdirSync(workspace)).toEqual(['.signalbox', 'd']);
});

test('undo restores a deleted file', async () => {
  writeFileSync(at('a'), 'old');
  chmodSync(at('a'), 0o755);
  await files.remove('a', hashOf('old'), by('w'));
  expect(textAt('a')).toBeNull();
  await files.undo(aCommandId('w'), { isForced: false }, by('u'));
  expect([textAt('a'), statSync(at('a')).mode & 0o7777]).toEqual(['old', 0o755]);
});

test('a writer that loses its lease at the last moment writes and keeps nothing', async () => {
  writeFileSync(at('a'), 'old');
  const late = by('w', () => Promise.reject(new LeaseLostError('gone')));
  await expect(files.write('a', 'new', { expected: hashOf('old'), by: late })).rejects.toThrow(
    LeaseLostError,
  );
  await expect(files.write('d/b', 'new', { expected: 'absent', by: late })).rejects.toThrow(LeaseLostError);
  await expect(files.remove('a', hashOf('old'), late)).rejects.toThrow(LeaseLostError);
  await files.write('a', 'kept', { expected: hashOf('old'), by: by('k') });
  await expect(files.undo(aCommandId('k'), { isForced: false }, late)).rejects.toThrow(LeaseLostError);
  expect([textAt('a'), existsSync(at('d'))]).toEqual(['kept', false]);
  expect(await kept('w')).toBeNull();
});

test.for([
  [
    'writes',
    (mayChange: Writer['mayChange']) =>
      files.write('a', 'mine', { expected: hashOf('old'), by: by('w', mayChange) }),
  ],
  ['deletes', (mayChange: Writer['mayChange']) => files.remove('a', hashOf('old'), by('w', mayChange))],
] as const)(
  'a tool that %s a file changed at the last moment gets a stale-write error',
  async ([, change]) => {
    writeFileSync(at('a'), 'old');
    const theirs = async (): Promise<void> => writeFileSync(at('a'), 'theirs');
    await expect(change(theirs)).rejects.toMatchObject({ code: 'stale-write', current: { text: 'theirs' } });
    expect(textAt('a')).toBe('theirs');
  },
);

test('a file created at the last moment is not overwritten', async () => {
  const theirs = async (): Promise<void> => {
    mkdirSync(at('d'));
    writeFileSync(at('d/f'), 'theirs');
  };
  await expect(files.write('d/f', 'mine', { expected: 'absent', by: by('w', theirs) })).rejects.toMatchObject(
    {
      code: 'stale-write',
    },
  );
  expect(textAt('d/f')).toBe('theirs');
});

test('undo leaves later changes of others alone, unless forced', async () => {
  await files.write('a', 'one', { expected: 'absent', by: by('w') });
  await files.write('a', 'two', { expected: hashOf('one'), by: by('x') });
  const undoing = (isForced: boolean) => files.undo(aCommandId('w'), { isForced }, by('u'));
  expect(await undoing(false)).toEqual({ kind: 'changed-since', paths: ['a'] });
  expect(textAt('a')).toBe('two');
  expect(await undoing(true)).toMatchObject({ kind: 'undone' });
  expect(textAt('a')).toBeNull();
  const unknown: CommandId = aCommandId('nobody');
  await expect(files.undo(unknown, { isForced: false }, by('u'))).rejects.toMatchObject({
    code: 'nothing-to-undo',
  });
});
