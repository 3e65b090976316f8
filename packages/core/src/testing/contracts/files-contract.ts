import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Access } from '../../leases/claim.ts';
import type { Files } from '../../ports/files.ts';
import { hashOf } from '../memory/memory-files.ts';
import { filesLinkContract } from './files-link-contract.ts';

export type FilesSeed = {
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Target by path of the symbolic link. */
  readonly links: Readonly<Record<string, string>>;
  readonly isDenied: (path: string, access: Access) => boolean;
};

export type FilesUnderTest = {
  readonly files: Files;
  close(): Promise<void>;
};

const SEED: FilesSeed = {
  files: {
    'README.md': '# Shop\n',
    'src/cart.ts': 'export const cart = [];\n',
    'src/price.ts': 'export const price = 1;\n',
    'src/deep/down/a.ts': 'a\n',
    'binary.dat': 'a\0b',
    '.env': 'KEY=1\n',
  },
  links: {
    'link.ts': 'src/cart.ts',
    'way-out': '/',
    'links/second': '../link.ts',
    'links/folder': '../src/deep',
    'links/key': '../.env',
    'links/loop': 'loop',
    'links/up': '../../elsewhere',
  },
  isDenied: (path) => path === '.env',
};

const changedAt: unknown = expect.any(Number);

/** The contract of every `Files`. */
export function filesContract(name: string, create: (seed: FilesSeed) => Promise<FilesUnderTest>): void {
  describe(`files contract: ${name}`, () => {
    let subject: FilesUnderTest;
    let files: Files;
    beforeEach(async () => {
      subject = await create(SEED);
      files = subject.files;
    });
    afterEach(() => subject.close());

    test.for([
      ['src/cart.ts', 'src/cart.ts'],
      ['./src//cart.ts/', 'src/cart.ts'],
      ['src/../README.md', 'README.md'],
      ['.', '.'],
      ['src/..', '.'],
      ['lib-evil/a', 'lib-evil/a'],
    ])('a path has one canonical form: %s is %s', ([path = '', normal = '']) => {
      expect(files.normalise(path)).toBe(normal);
    });

    test.for(['..', '../a', 'src/../../a', '/', '/etc/passwd', 'a/../../../etc/passwd', '/../etc/passwd'])(
      'a path that leaves the workspace is refused (S001-30, S001-31): %s',
      async (path) => {
        expect(() => files.normalise(path)).toThrow(
          expect.objectContaining({ code: 'path_not_allowed', category: 'PolicyBlocked' }),
        );
        await expect(files.readText(path)).rejects.toMatchObject({ code: 'path_not_allowed' });
        await expect(files.write(path, 'x', { expected: 'absent' })).rejects.toMatchObject({
          code: 'path_not_allowed',
        });
      },
    );

    test('a file is read whole, with the hash of its bytes', async () => {
      const text = 'export const cart = [];\n';
      const file = { path: 'src/cart.ts', text, bytes: 24, hash: hashOf(text) };
      expect(await files.readText('./src/cart.ts')).toEqual(file);
    });

    test.for([
      ['gone.ts', 'not-found'],
      ['README.md/a', 'not-found'],
      ['src', 'not-a-file'],
      ['binary.dat', 'not-text'],
      ['way-out/etc/passwd', 'path_not_allowed'],
      ['.env', 'path_not_allowed'],
    ])('only a text file of the workspace is read: %s says %s', async ([path = '', code = '']) => {
      await expect(files.readText(path)).rejects.toMatchObject({ code });
    });

    test('a file over the requested size is not read', async () => {
      await expect(files.readText('src/cart.ts', { maxBytes: 23 })).rejects.toMatchObject({
        code: 'too-large',
      });
      expect((await files.readText('src/cart.ts', { maxBytes: 24 })).bytes).toBe(24);
    });

    test('a new file is written with the folders above it', async () => {
      expect(await files.write('lib/new/b.ts', 'b\n', { expected: 'absent' })).toEqual({
        path: 'lib/new/b.ts',
        kind: 'created',
        hash: hashOf('b\n'),
        before: null,
      });
      expect((await files.readText('lib/new/b.ts')).text).toBe('b\n');
    });

    test('a file with the expected content is replaced, and its old text returned', async () => {
      const { hash, text } = await files.readText('src/cart.ts');
      expect(await files.write('src/cart.ts', 'new', { expected: hash })).toEqual({
        path: 'src/cart.ts',
        kind: 'modified',
        hash: hashOf('new'),
        before: text,
      });
      expect((await files.readText('src/cart.ts')).text).toBe('new');
    });

    test('the same text again is no change', async () => {
      const { hash, text } = await files.readText('src/cart.ts');
      expect(await files.write('src/cart.ts', text, { expected: hash })).toMatchObject({
        kind: 'unchanged',
        hash,
      });
    });

    test('a write on another version than the expected one is refused and shows the current content (X-07, L-36)', async () => {
      const { hash, text } = await files.readText('src/cart.ts');
      for (const expected of ['absent', hashOf('older')] as const) {
        await expect(files.write('src/cart.ts', 'mine', { expected })).rejects.toMatchObject({
          code: 'stale-write',
          path: 'src/cart.ts',
          current: { hash, text },
        });
      }
      await expect(files.write('gone.ts', 'mine', { expected: hash })).rejects.toMatchObject({
        code: 'stale-write',
        current: null,
      });
      expect((await files.readText('src/cart.ts')).text).toBe(text);
      expect(await files.stat('gone.ts')).toBeNull();
    });

    test('exactly one of many concurrent writers on one version wins', async () => {
      const { hash } = await files.readText('src/cart.ts');
      const all = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          files.write('src/cart.ts', `writer ${index}`, { expected: hash }),
        ),
      );
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('exactly one of many concurrent creators of a file wins', async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          files.write('src/new.ts', `writer ${index}`, { expected: 'absent' }),
        ),
      );
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('a denied name is neither read nor written nor listed (S001-29, S001-25, S001-26)', async () => {
      await expect(files.write('.env', 'KEY=2', { expected: hashOf('KEY=1\n') })).rejects.toMatchObject({
        code: 'path_not_allowed',
        category: 'PolicyBlocked',
      });
      await expect(files.remove('.env', hashOf('KEY=1\n'))).rejects.toMatchObject({
        code: 'path_not_allowed',
      });
      const { entries, hidden } = await files.list('.');
      expect(entries.map(({ path }) => path)).not.toContain('.env');
      expect(hidden).toBe(1);
    });

    test('a folder lists its own entries in order, links unfollowed', async () => {
      expect(await files.list('.')).toEqual({
        entries: [
          { path: 'README.md', kind: 'file', bytes: 7, changedAt },
          { path: 'binary.dat', kind: 'file', bytes: 3, changedAt },
          { path: 'link.ts', kind: 'symlink', bytes: 0, changedAt },
          { path: 'links', kind: 'directory', bytes: 0, changedAt },
          { path: 'src', kind: 'directory', bytes: 0, changedAt },
          { path: 'way-out', kind: 'symlink', bytes: 0, changedAt },
        ],
        truncated: false,
        hidden: 1,
      });
    });

    test('a listing goes as deep as requested and says when it was cut', async () => {
      const paths = async (depth: number): Promise<string[]> =>
        (await files.list('src', { depth })).entries.map(({ path }) => path);
      expect(await paths(1)).toEqual(['src/cart.ts', 'src/deep', 'src/price.ts']);
      expect(await paths(3)).toEqual([
        'src/cart.ts',
        'src/deep',
        'src/deep/down',
        'src/deep/down/a.ts',
        'src/price.ts',
      ]);
      const cut = await files.list('src', { limit: 2 });
      expect(cut.entries).toHaveLength(2);
      expect(cut.truncated).toBe(true);
    });

    test.for([
      ['gone', 'not-found'],
      ['README.md', 'not-a-directory'],
      ['way-out/etc', 'path_not_allowed'],
    ])('only a folder of the workspace is listed: %s says %s', async ([path = '', code = '']) => {
      await expect(files.list(path)).rejects.toMatchObject({ code });
    });

    test('stampOf() differs after each change, and throws for no path', async () => {
      const stamps = [files.stampOf('a.ts')];
      expect(stamps).toEqual(['absent']);
      const { hash } = await files.write('a.ts', 'one', { expected: 'absent' });
      stamps.push(files.stampOf('./a.ts'));
      expect(files.stampOf('a.ts')).toBe(stamps[1]);
      await files.write('a.ts', 'two', { expected: hash ?? 'absent' });
      stamps.push(files.stampOf('a.ts'));
      expect(new Set(stamps).size).toBe(3);
      expect(['../x', '/etc/hosts', '~/x/../../..'].map(files.stampOf)).toEqual(Array(3).fill('unseen'));
    });

    test('stat() says what a path is, or that nothing is there', async () => {
      expect(await files.stat('src')).toMatchObject({ path: 'src', kind: 'directory' });
      expect(await files.stat('README.md')).toEqual({ path: 'README.md', kind: 'file', bytes: 7, changedAt });
      expect(await files.stat('link.ts')).toMatchObject({ kind: 'symlink' });
      expect(await files.stat('gone')).toBeNull();
    });

    test('every change of a file moves the time of its last change', async () => {
      const timeOf = async () => (await files.stat('src/cart.ts'))?.changedAt;
      const before = await timeOf();
      expect(await timeOf()).toBe(before);
      const { hash } = await files.readText('src/cart.ts');
      await files.write('src/cart.ts', 'changed\n', { expected: hash });
      expect(await timeOf()).not.toBe(before);
    });

    test('a file with the expected content is deleted, and its text returned', async () => {
      const { hash, text } = await files.readText('src/cart.ts');
      await expect(files.remove('src/cart.ts', hashOf('older'))).rejects.toMatchObject({
        code: 'stale-write',
      });
      expect(await files.remove('src/cart.ts', hash)).toEqual({
        path: 'src/cart.ts',
        kind: 'deleted',
        hash: null,
        before: text,
      });
      await expect(files.remove('src/cart.ts', hash)).rejects.toMatchObject({ code: 'not-found' });
    });

    test('only an empty folder is deleted', async () => {
      await expect(files.remove('src/deep', 'directory')).rejects.toMatchObject({ code: 'not-a-file' });
      await files.remove('src/deep/down/a.ts', hashOf('a\n'));
      expect(await files.remove('src/deep/down', 'directory')).toMatchObject({ kind: 'deleted' });
      expect(await files.stat('src/deep/down')).toBeNull();
    });

    filesLinkContract(() => files);
  });
}
