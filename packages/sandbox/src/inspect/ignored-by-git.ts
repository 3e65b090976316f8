import { inRepository, type RepositoryOptions } from './open-repository.ts';

/** Ignored folders and files; entries below an ignored folder are not listed. */
const MAX_LIST_BYTES = 1024 ** 2;

/**
 * Lists which paths of the workspace git ignores: caches, dependencies, builds. Empty without a repository or
 * if it can't be read in time.
 *
 * @param gone Paths that may be removed; git doesn't list those.
 */
export async function ignoredByGit(
  gone: readonly string[],
  options: RepositoryOptions,
): Promise<(path: string) => boolean> {
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const text = await inRepository('.', options, async ({ git }) => {
    const there = await git(list, MAX_LIST_BYTES);
    if (gone.length === 0) return there.text;
    // It fails for a path behind a link.
    const asked = await git(['check-ignore', '-z', '--stdin'], MAX_LIST_BYTES, {
      input: gone.map((path) => `${path}\0`).join(''),
    }).catch(() => ({ text: '' }));
    return `${there.text}${asked.text}`;
  }).catch(() => '');
  const ignored = new Set(text.split('\0').filter((path) => path !== ''));
  return (path) =>
    ignored.has(path) || [...path.matchAll(/\//g)].some(({ index }) => ignored.has(path.slice(0, index + 1)));
}
