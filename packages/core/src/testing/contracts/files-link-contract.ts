import { expect, test } from 'vitest';
import type { Files } from '../../ports/files.ts';

/** Symbolic links: what they point at, and which of them are read. `files` returns the subject of the current test. */
export function filesLinkContract(files: () => Files): void {
  test.for([
    ['src/cart.ts', 'src/cart.ts', []],
    ['gone/later', 'gone/later', []],
    ['link.ts', 'src/cart.ts', ['link.ts']],
    ['links/second', 'src/cart.ts', ['links/second', 'link.ts']],
    ['links/folder/down/a.ts', 'src/deep/down/a.ts', ['links/folder']],
    ['way-out/etc', null, ['way-out']],
    ['links/up', null, ['links/up']],
    ['links/key', null, ['links/key']],
  ] as const)('the links of a path are followed: %s ends at %s (R-A4)', async ([path, end, links]) => {
    const followed = await files().followLinks(path);
    expect([followed.end, followed.links.map((link) => link.path)]).toEqual([end, links]);
  });

  test.for([
    ['link.ts', 'src/cart.ts'],
    ['links/second', 'src/cart.ts'],
  ])('a link in the workspace is read at its target, under that name: %s (D14)', async ([path = '', end]) => {
    expect((await files().readText(path)).path).toBe(end);
    expect(files().targetOf(path)).toBe(end);
  });

  test('a link to a path outside the workspace, to a denied or to a missing path is not read (S001-28, S001-30)', async () => {
    for (const path of ['links/key', 'links/up', 'links/loop', 'way-out'])
      await expect(files().readText(path)).rejects.toMatchObject({ code: 'path_not_allowed' });
  });

  test('a link to itself has no target', async () => {
    expect((await files().followLinks('links/loop')).end).toBeNull();
  });
}
