import type { PreviewCommit } from '@signalbox/core';
import { inRepository, type RepositoryOptions } from './open-repository.ts';
import { commitsOf } from './push-forecast.ts';

/**
 * The commits of a branch of the workspace's own repository that are not in what it named once, the newest first; at most
 * the first of them by name.
 *
 * @param was.left id of a commit, in full or short
 * @throws {UnavailableError} when there is no repository, or it can't be read.
 */
export async function commitsSince(
  { branch, left }: { readonly branch: string; readonly left: string },
  options: RepositoryOptions,
): Promise<{ readonly commits: readonly PreviewCommit[]; readonly count: number }> {
  return inRepository('.', options, async (repository) => {
    const now = await repository.refs.find(`refs/heads/${branch}`);
    if (now === undefined) return { commits: [], count: 0 };
    return commitsOf([now, `^${left}`], repository);
  });
}

/** Of one move of a branch. */
const MAX_PATHS_BYTES = 64 * 1024;

type Commits = { readonly commits: readonly PreviewCommit[]; readonly count: number };

/** What a branch of the workspace's own repository holds at one commit and not at another. */
export type BranchMove = {
  readonly gained: Commits;
  readonly lost: Commits;
  /** Files that differ, from the work tree's root; as many as are named within a bound. */
  readonly paths: readonly string[];
  readonly isCheckedOut: boolean;
};

/**
 * @param move ids of commits, in full or short; `from` is null for a branch that was made: it gained what no other has
 * @throws {UnavailableError} when there is no repository, or it can't be read.
 */
export async function branchMove(
  { branch, from, to }: { readonly branch: string; readonly from: string | null; readonly to: string },
  options: RepositoryOptions,
): Promise<BranchMove> {
  return inRepository('.', options, async (repository) => {
    const { refs, git } = repository;
    const isCheckedOut = refs.head.branch === branch;
    if (from === null) {
      const all = await refs.below('refs/heads/');
      const others = [...all].flatMap(([name, id]) => (name === `refs/heads/${branch}` ? [] : [id]));
      const gained = await commitsOf([to, ...others.map((id) => `^${id}`)], repository);
      const files = ['ls-tree', '-r', '--name-only', '-z', to];
      const paths = others.length > 0 ? [] : pathsIn((await git(files, MAX_PATHS_BYTES)).text);
      return { gained, lost: { commits: [], count: 0 }, paths, isCheckedOut };
    }
    const differing = ['diff-tree', '-r', '--name-only', '--no-renames', '-z', from, to, '--'];
    return {
      gained: await commitsOf([to, `^${from}`], repository),
      lost: await commitsOf([from, `^${to}`], repository),
      paths: pathsIn((await git(differing, MAX_PATHS_BYTES)).text),
      isCheckedOut,
    };
  });
}

function pathsIn(text: string): readonly string[] {
  return text.split('\0').filter((path) => path !== '');
}
