import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changesBetween } from '../testing/changes-between.ts';
import { commit } from './commit.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  for (const tree of ['workspace', 'b', 'state']) mkdirSync(join(root, tree));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The touches of a commit that turns the first tree into the second. */
async function touches(before: Record<string, string>, after: Record<string, string>) {
  for (const [name, text] of Object.entries(before)) writeFileSync(join(root, 'workspace', name), text);
  for (const [name, text] of Object.entries(after)) writeFileSync(join(root, 'b', name), text);
  const outcome = await commit({
    commandId: 'cmd_a',
    workspace: join(root, 'workspace'),
    commits: join(root, 'state/commits'),
    changes: changesBetween(join(root, 'workspace'), join(root, 'b')),
    since: 2n ** 62n,
    whyRefused: () => null,
    signal: new AbortController().signal,
  });
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  return outcome.changes.map(({ path, kind, linesAdded, linesRemoved }) => ({
    path,
    kind,
    lines: linesAdded === undefined ? null : [linesAdded, linesRemoved],
  }));
}

test('a commit counts added and removed lines of each text (U-B9)', async () => {
  const found = await touches(
    { edited: '1\n2\n3\n', gone: '1\n2\n' },
    { edited: '1\nzwei\n3\n', fresh: '1\n' },
  );
  expect(found.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'edited', kind: 'modified', lines: [1, 1] },
    { path: 'fresh', kind: 'created', lines: [1, 0] },
    { path: 'gone', kind: 'deleted', lines: [0, 2] },
  ]);
});

test('a binary or large file is committed without counts', async () => {
  const found = await touches({ binary: '\0' }, { binary: '\0\0', large: 'x\n'.repeat(200_000) });
  expect(found.map(({ lines }) => lines)).toEqual([null, null]);
});

test('texts with too little in common count as a full replacement', async () => {
  const rows = (word: string): string => Array.from({ length: 2000 }, (_, n) => `${word} ${n}\n`).join('');
  expect(await touches({ a: rows('one') }, { a: rows('two') })).toEqual([
    { path: 'a', kind: 'modified', lines: [2000, 2000] },
  ]);
});
