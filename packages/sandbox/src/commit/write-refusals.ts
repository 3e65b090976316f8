import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { IsDenied } from '../denials/default-denials.ts';

/** What of a repository says which code runs. */
const GIT_CODE = /^(?:hooks|config|config\.worktree|info\/attributes)(?:\/|$)/;
/** The same of a submodule or of another working tree. */
const NESTED_GIT_CODE = /^(?:modules|worktrees)\/(?:.+\/)?(?:hooks|config|config\.worktree)(?:\/|$)/;
/** Installed packages bring names that look like secrets of the workspace and are none. */
const PACKAGES = new Set(['node_modules', '.venv']);

/**
 * Why a command may not change a path, judged on what it really wrote; null when it may.
 *
 * Git's own files may be written, as every commit does, but for what says which code runs in a repository
 * that stands already. A new repository may bring its configuration, and no hook but samples.
 */
export function createWriteRefusals(workspace: string, isDenied: IsDenied): (path: string) => string | null {
  return (path) => {
    const segments = path.split('/');
    const git = segments.indexOf('.git');
    if (git >= 0) return whyNotInGit(segments, git);
    if (segments.some((segment) => PACKAGES.has(segment))) return null;
    return isDenied(path, 'write') ? 'policy forbids to write it' : null;
  };

  function whyNotInGit(segments: readonly string[], git: number): string | null {
    const within = segments.slice(git + 1).join('/');
    const stands = isThere(join(workspace, ...segments.slice(0, git + 1)));
    if (!stands) return /^hooks\/.*(?<!\.sample)$/.test(within) ? 'a hook of git runs code' : null;
    if (within === '') return 'a repository can not be replaced or removed';
    const isCode = GIT_CODE.test(within) || NESTED_GIT_CODE.test(within);
    if (isCode) return 'it says which code git runs';
    return isDenied(segments.join('/'), 'read') ? 'policy forbids it' : null;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
