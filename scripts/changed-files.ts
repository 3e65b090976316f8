import { spawnSync } from 'node:child_process';

/** The main branch: the first that exists. */
const MAIN_BRANCHES = ['origin/HEAD', 'origin/main', 'main'];

/**
 * Files that a branch changed since it left the main branch, committed or not; without deleted files.
 *
 * @param root Top folder of the repository.
 * @returns Paths relative to `root`; null if git can't tell, as in a copy without history.
 */
export function changedFiles(root: string): readonly string[] | null {
  const base = MAIN_BRANCHES.reduce<string | null>(
    (found, ref) => found ?? git('merge-base', 'HEAD', ref),
    null,
  );
  const changed = git('diff', '--name-only', '-z', '--diff-filter=d', base?.trim() ?? 'HEAD', '--');
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  if (changed === null || untracked === null) return null;
  return (changed + untracked).split('\0').filter((path) => path !== '');

  function git(...args: readonly string[]): string | null {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout : null;
  }
}
