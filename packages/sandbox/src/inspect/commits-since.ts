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
