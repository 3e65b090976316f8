import { inRepository, type RepositoryOptions } from './open-repository.ts';

/** Folders and files that git leaves out; those below such a folder are not listed. */
const MAX_LIST_BYTES = 1024 ** 2;

/**
 * Tells which paths of the workspace git leaves out, as `.gitignore` says: caches, dependencies, builds. None of them
 * where there is no repository or it can't be read in time.
 *
 * @param gone Paths that may be there no more: of those git lists none.
 */
export async function ignoredByGit(
  gone: readonly string[],
  options: RepositoryOptions,
): Promise<(path: string) => boolean> {
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const text = await inRepository('.', options, async ({ git }) => {
    const there = await git(list, MAX_LIST_BYTES);
    if (gone.length === 0) return there.text;
    // It gives up on a path behind a link.
    const asked = await git(
      ['check-ignore', '-z', '--stdin'],
      MAX_LIST_BYTES,
      gone.map((path) => `${path}\0`).join(''),
    ).catch(() => ({ text: '' }));
    return `${there.text}${asked.text}`;
  }).catch(() => '');
  const ignored = new Set(text.split('\0').filter((path) => path !== ''));
  return (path) =>
    ignored.has(path) || [...path.matchAll(/\//g)].some(({ index }) => ignored.has(path.slice(0, index + 1)));
}
