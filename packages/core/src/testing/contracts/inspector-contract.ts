import { describe, expect, test } from 'vitest';
import type { Inspector } from '../../ports/inspector.ts';

const COMMIT = { cwd: '.', isAll: false, isAmend: false, only: [], added: [] };
const PUSH = { cwd: '.', remote: null, refs: [], isForced: false, isDelete: false, also: [] };

/**
 * The contract of every `Inspector`.
 *
 * @param create With a workspace without git that holds exactly these texts.
 */
export function inspectorContract(
  name: string,
  create: (files: Readonly<Record<string, string>>) => Promise<Inspector>,
): void {
  describe(`${name} keeps the inspector's contract:`, () => {
    const seeded = (): Promise<Inspector> =>
      create({ 'a/one.txt': '123', 'a/b/two.log': '12345', 'c.txt': 'x' });

    test('a folder is counted with everything below it', async () => {
      expect(await (await seeded()).removal({ path: 'a' })).toEqual({
        path: 'a',
        isFolder: true,
        files: 2,
        bytes: 8,
        names: ['a/b/two.log', 'a/one.txt'],
        isCounted: true,
      });
    });

    test('only the matching paths of a pattern are counted', async () => {
      const isMeant = (path: string): boolean => path.endsWith('.log');
      expect(await (await seeded()).removal({ path: '.', isMeant })).toMatchObject({ files: 1, bytes: 5 });
    });

    test('a file counts as one, and a missing name as nothing', async () => {
      const inspector = await seeded();
      expect(await inspector.removal({ path: 'c.txt' })).toMatchObject({
        isFolder: false,
        files: 1,
        bytes: 1,
      });
      expect(await inspector.removal({ path: 'd.txt' })).toBeNull();
    });

    test('without a repository commits and pushes are reported as unknown', async () => {
      const inspector = await seeded();
      await expect(inspector.commit(COMMIT)).rejects.toThrow('no git repository');
      await expect(inspector.push(PUSH)).rejects.toThrow('no git repository');
    });
  });
}
