import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inRepository, type RepositoryOptions } from './open-repository.ts';

const MAX_LIST_BYTES = 1024 ** 2;
/** Upper bound on `.gitignore` files. */
const MAX_FILES = 200;

/**
 * Which of these paths the `.gitignore` files of the last commit ignore, whatever they contain now; none if
 * they can't be read.
 */
export async function ignoredInHead(
  paths: readonly string[],
  options: RepositoryOptions,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  return inRepository('.', options, async ({ git }) => {
    const tree = await mkdtemp(join(options.scratch, 'ignores-'));
    try {
      const { text } = await git(['ls-tree', '-r', '-z', '--name-only', 'HEAD'], MAX_LIST_BYTES);
      const files = text.split('\0').filter((path) => /(?:^|\/)\.gitignore$/.test(path));
      for (const path of files.slice(0, MAX_FILES)) {
        const { bytes } = await git(['cat-file', 'blob', `HEAD:${path}`], MAX_LIST_BYTES);
        await mkdir(dirname(join(tree, path)), { recursive: true });
        await writeFile(join(tree, path), bytes);
      }
      const check = ['-C', tree, `--work-tree=${tree}`, 'check-ignore', '--no-index', '-z', '--stdin'];
      // Its exit code tells whether it found any.
      const found = await git(check, MAX_LIST_BYTES, { input: paths.map((path) => `${path}\0`).join('') });
      return new Set(found.text.split('\0').filter((path) => path !== ''));
    } finally {
      await rm(tree, { recursive: true, force: true });
    }
  }).catch(() => new Set<string>());
}
