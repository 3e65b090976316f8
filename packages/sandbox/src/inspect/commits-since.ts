import type { PreviewCommit } from '@signalbox/core';
import { inRepository, type RepositoryOptions } from './open-repository.ts';
import { commitsOf } from './push-forecast.ts';

/**
 * The commits a branch of the workspace's repository has gained since it was at `was.left`, newest first. Only
 * the first ones are listed.
 *
 * @param was.left full or short id of a commit
 * @throws {UnavailableError} when there is no readable repository
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

/** For one move of a branch. */
const MAX_PATHS_BYTES = 64 * 1024;

type Commits = { readonly commits: readonly PreviewCommit[]; readonly count: number };

/** What a branch of the workspace's repository gained and lost between two commits. */
export type BranchMove = {
  readonly gained: Commits;
  readonly lost: Commits;
  /** Files that differ, relative to the work tree's root, within a bound. */
  readonly paths: readonly string[];
  readonly isCheckedOut: boolean;
};

/**
 * @param move full or short ids of commits; `from` is null for a new branch, which gained the commits no other
 * branch has
 * @throws {UnavailableError} when there is no readable repository
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
