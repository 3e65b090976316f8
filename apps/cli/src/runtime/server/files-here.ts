import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { loadReview } from '@signalbox/coordinator';
import { isWithin } from '@signalbox/core';
import { committedInGit, filesEditedSince, ignoredByGit, ignoredInHead } from '@signalbox/sandbox';

/** What a review reads from the files and from git. */
export type ReviewedFiles = Pick<
  Parameters<typeof loadReview>[0],
  'ignoredByGit' | 'ignoredInHead' | 'committedInGit' | 'editedSince'
>;

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** For a workspace on this machine. */
export function filesHere(workspace: string, path = USUAL_PATH): ReviewedFiles {
  const repository = { workspace, path, scratch: join(workspace, '.signalbox/previews') };
  return {
    ignoredByGit: (gone) => ignoredByGit(gone, repository),
    ignoredInHead: (paths) => ignoredInHead(paths, repository),
    committedInGit: (changes) => committedInGit(changes, repository),
    editedSince: (sinceMs, reported) => filesEditedSince(sinceMs, { workspace, ...reported }),
  };
}

/** A folder of the workspace, relative, with links resolved; null for anything else and for paths outside. */
export async function folderOf(workspace: string, path: string): Promise<string | null> {
  try {
    const real = await realpath(resolve(workspace, path));
    const isFolder = isWithin(real, workspace) && (await stat(real)).isDirectory();
    return isFolder ? relative(workspace, real) || '.' : null;
  } catch {
    return null;
  }
}

/** For a server elsewhere: only that server knows. */
export const FILES_ELSEWHERE: ReviewedFiles = {
  ignoredByGit: async () => () => false,
  ignoredInHead: async () => new Set(),
  committedInGit: async () => null,
  editedSince: async () => [],
};
