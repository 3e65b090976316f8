import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StampScope } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStamps } from './stamps.ts';

const WHOLE: StampScope = { paths: [{ path: '.' }] };
const SEEN: StampScope = { ...WHOLE, surroundings: { readableHome: [] } };

/** A tree of two folders with files, a link and our own state. */
function aTree() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-stamps-')));
  const at = (path: string): string => join(folder, path);
  mkdirSync(at('a/b'), { recursive: true });
  mkdirSync(at('.signalbox'));
  for (const path of ['a/x', 'a/b/y', 'z', '.signalbox/state']) writeFileSync(at(path), 'one');
  symlinkSync('a/x', at('link'));
  const stamps = createStamps({
    workspace: folder,
    stateFolder: at('.signalbox'),
    home: '/nonexistent',
    path: '/usr/bin:/bin',
  });
  return {
    at,
    stamps,
    digest: async (scope: StampScope, recent: 'wait' | 'refuse' | 'accept' = 'accept') =>
      (await stamps.take(scope, { recent }))?.digest ?? null,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Tree = ReturnType<typeof aTree>;

/** What an editor, git or a hostile program may do; none changes the size or the modification time of a file. */
const CHANGES: Readonly<Record<string, (tree: Tree) => void>> = {
  'a write of the same size and time'({ at }) {
    const { atime, mtime } = statSync(at('a/x'));
    writeFileSync(at('a/x'), 'two');
    utimesSync(at('a/x'), atime, mtime);
  },
  'a file that takes its place, of the same size and time'({ at }) {
    const { atime, mtime } = statSync(at('a/b/y'));
    writeFileSync(at('.signalbox/new'), 'two');
    utimesSync(at('.signalbox/new'), atime, mtime);
    renameSync(at('.signalbox/new'), at('a/b/y'));
  },
  'a change there and back': ({ at }) => {
    writeFileSync(at('z'), 'two');
    writeFileSync(at('z'), 'one');
  },
  'a mode': ({ at }) => chmodSync(at('z'), 0o755),
  'a new file': ({ at }) => writeFileSync(at('a/new'), ''),
  'a new empty folder': ({ at }) => mkdirSync(at('a/b/c')),
  'a removal': ({ at }) => unlinkSync(at('a/x')),
  'a removed folder': ({ at }) => rmSync(at('a/b'), { recursive: true }),
  'a file under another name': ({ at }) => renameSync(at('z'), at('w')),
  'a folder under another name': ({ at }) => renameSync(at('a/b'), at('b')),
  'a link to another file'({ at }) {
    unlinkSync(at('link'));
    symlinkSync('a/z', at('link'));
  },
  'a link in place of a file'({ at }) {
    unlinkSync(at('z'));
    symlinkSync('a/x', at('z'));
  },
  'a second name': ({ at }) => linkSync(at('z'), at('a/z')),
  'a cut': ({ at }) => truncateSync(at('z'), 0),
};

test.for(Object.keys(CHANGES))('a stamp differs after %s (X-31)', async (change) => {
  using tree = aTree();
  const before = await tree.digest(WHOLE, 'wait');
  expect(await tree.digest(WHOLE)).toBe(before);
  CHANGES[change]?.(tree);
  expect([before, await tree.digest(WHOLE)]).toEqual([
    expect.any(String),
    expect.not.stringMatching(`^${before}$`),
  ]);
});

test('no sequence of changes, however quick, leads back to an earlier stamp (X-31)', async () => {
  const changes = fc.array(fc.constantFrom(...Object.values(CHANGES)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      using tree = aTree();
      const before = await tree.digest(WHOLE, 'wait');
      for (const change of all) {
        try {
          change(tree);
        } catch {
          // An earlier change removed what it works on.
        }
      }
      expect(await tree.digest(WHOLE)).not.toBe(before);
    }),
    { numRuns: 20 },
  );
});

test('our own state is no part of it', async () => {
  using tree = aTree();
  const before = await tree.digest(SEEN, 'wait');
  writeFileSync(tree.at('.signalbox/state'), 'two');
  expect([before, await tree.digest(SEEN)]).toEqual([expect.any(String), before]);
});

test('a tree that has just changed is no base, unless it waits', async () => {
  using tree = aTree();
  await tree.digest(WHOLE, 'wait');
  writeFileSync(tree.at('z'), 'two');
  expect(await tree.digest(WHOLE, 'refuse')).toBeNull();
  expect(await tree.digest(WHOLE, 'wait')).not.toBeNull();
  expect(await tree.digest(WHOLE, 'refuse')).not.toBeNull();
});

test('a file that is asked for by a link counts with what the link leads to, whichever link changes', async () => {
  using tree = aTree();
  symlinkSync('link', tree.at('far'));
  const scope = { paths: [{ path: 'far' }] };
  const before = await tree.digest(scope, 'wait');
  unlinkSync(tree.at('link'));
  symlinkSync('z', tree.at('link'));
  expect([before, await tree.digest(scope)]).toEqual([
    expect.any(String),
    expect.not.stringMatching(`^${before}$`),
  ]);
});

test('what a link leads to outside the workspace counts for a command', async () => {
  using tree = aTree();
  using other = aTree();
  symlinkSync(other.at('a'), tree.at('out'));
  symlinkSync(other.at('z'), tree.at('file'));
  const before = await tree.digest(SEEN, 'wait');
  writeFileSync(other.at('a/b/y'), 'two');
  const after = await tree.digest(SEEN, 'wait');
  writeFileSync(other.at('z'), 'two');
  const last = await tree.digest(SEEN, 'wait');
  expect(new Set([before, after, last, null]).size).toBe(4);
});

test('only so many levels, and so many entries, are compared', async () => {
  using tree = aTree();
  const scope = { paths: [{ path: 'a', depth: 1 }] };
  const before = await tree.digest(scope, 'wait');
  writeFileSync(tree.at('a/b/y'), 'two');
  expect(await tree.digest(scope)).toBe(before);
  writeFileSync(tree.at('a/x'), 'two');
  expect(await tree.digest(scope)).not.toBe(before);
  expect(await tree.digest({ ...WHOLE, maxEntries: 3 })).toBeNull();
});

test('a folder inside a repository, and a linked work tree, are not compared: their repository is elsewhere', async () => {
  using tree = aTree();
  mkdirSync(tree.at('.git'));
  const inner = createStamps({
    workspace: tree.at('a'),
    stateFolder: tree.at('a/.signalbox'),
    home: '/nonexistent',
    path: '/usr/bin',
  });
  expect(await inner.take(WHOLE, { recent: 'wait' })).toBeNull();
  expect(await inner.take({ paths: [{ path: 'x' }] }, { recent: 'wait' })).not.toBeNull();
  rmSync(tree.at('.git'), { recursive: true });
  writeFileSync(tree.at('.git'), 'gitdir: /elsewhere');
  expect(await tree.digest(WHOLE, 'wait')).toBeNull();
});
