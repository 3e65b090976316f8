import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** HEAD of the workspace: a branch, or a commit without a branch. */
export type HeadOnDisk = Readonly<{ kind: 'branch'; name: string } | { kind: 'commit'; id: string }>;

/** More than any branch name needs, in bytes. */
const MAX_BYTES = 4096;
/** By the rules of `git check-ref-format`: no blanks, no control characters, no git syntax. */
// oxlint-disable-next-line no-control-regex -- these are what must not be in it
const BRANCH = /^ref: refs\/heads\/([^\u0000-\u0020\u007f~^:?*[\\]{1,250})$/;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const LINK = /^gitdir: (.+)$/;

/**
 * Reads HEAD without starting a git process; null outside of git.
 *
 * A command may have written that file: content that does not look like git's own is ignored.
 */
export async function readGitHead(workspace: string): Promise<HeadOnDisk | null> {
  const head = (await lineIn(join(workspace, '.git', 'HEAD'))) ?? (await headOfWorktree(workspace));
  const branch = head?.match(BRANCH)?.[1];
  if (branch !== undefined) return { kind: 'branch', name: branch };
  return head !== null && COMMIT.test(head) ? { kind: 'commit', id: head } : null;
}

/** In a worktree or a submodule, `.git` is a file that names the folder. */
async function headOfWorktree(workspace: string): Promise<string | null> {
  const folder = (await lineIn(join(workspace, '.git')))?.match(LINK)?.[1];
  if (folder === undefined) return null;
  return lineIn(join(isAbsolute(folder) ? folder : join(workspace, folder), 'HEAD'));
}

/** The text of a small file; null if there is none. Links are not followed and pipes do not block. */
async function lineIn(path: string): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).trimEnd();
  } catch {
    return null;
  }
}
