import type { ContentHash, FileTouch } from '@signalbox/core';
import { expect, test } from 'vitest';
import { gitLinesOf } from './git-lines.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const touch = (path: string, kind: FileTouch['kind'] = 'modified'): FileTouch => ({
  path,
  kind,
  hash: kind === 'deleted' ? null : ('0'.repeat(64) as ContentHash),
});
const contents = (before: Record<string, string>, after: Record<string, string>) => ({
  before: (path: string) => before[path] ?? null,
  after: (path: string) => after[path] ?? null,
});

test('a deleted ref is reported with its old value, and a ref that was only packed is not', () => {
  const touches = ['.git/refs/heads/old', '.git/refs/heads/kept'].map((path) => touch(path, 'deleted'));
  const before = { '.git/refs/heads/old': `${A}\n`, '.git/refs/heads/kept': `${B}\n` };
  const after = { '.git/packed-refs': `# pack-refs\n${B} refs/heads/kept\n` };
  expect(gitLinesOf([...touches, touch('.git/packed-refs', 'created')], contents(before, after))).toEqual([
    'refs/heads/old aaaaaaaaaaaa → none',
    'packed-refs created',
  ]);
});

test('a packed ref that is deleted or replaced by a loose file is reported', () => {
  const before = { '.git/packed-refs': `${A} refs/heads/gone\n${A} refs/heads/main\n` };
  const after = { '.git/packed-refs': `${A} refs/heads/main\n`, '.git/refs/heads/main': `${B}\n` };
  const touches = [touch('.git/packed-refs'), touch('.git/refs/heads/main', 'created')];
  expect(gitLinesOf(touches, contents(before, after))).toEqual([
    'refs/heads/gone aaaaaaaaaaaa → none',
    'refs/heads/main aaaaaaaaaaaa → bbbbbbbbbbbb',
    'packed-refs modified',
  ]);
});

test('a repository below the workspace is named, objects and logs are counted, plain files are omitted', () => {
  const touches = [
    touch('src/a.ts'),
    touch('sub/.git/HEAD'),
    touch('sub/.git/objects/aa/1', 'created'),
    touch('sub/.git/objects/aa/2', 'created'),
    touch('sub/.git/logs/HEAD'),
    touch('sub/.git/MERGE_HEAD', 'created'),
  ];
  const before = { 'sub/.git/HEAD': 'ref: refs/heads/main\n' };
  expect(gitLinesOf(touches, contents(before, { 'sub/.git/HEAD': `${A}\n` }))).toEqual([
    'sub/.git: HEAD refs/heads/main → aaaaaaaaaaaa',
    'sub/.git: MERGE_HEAD created',
    'sub/.git: objects created: 2',
    'sub/.git: logs modified: 1',
  ]);
});

test('lines over 50 are counted', () => {
  const touches = Array.from({ length: 60 }, (_, at) => touch(`.git/X${at}`, 'created'));
  expect(gitLinesOf(touches, contents({}, {})).slice(49)).toEqual(['X49 created', 'and 10 more']);
});
