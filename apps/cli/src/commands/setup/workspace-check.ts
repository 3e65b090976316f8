import { UsageError } from '@signalbox/core';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { refuseWhole } from '../../runtime/workspace/refuse-whole.ts';
import type { DoctorCheck } from '../../views/doctor-view.ts';

/** Whether there is a folder to work in, and the state of git in it. */
export function workspaceCheck(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): DoctorCheck {
  const name = basename(directory);
  const refusal = refusalOf(directory, env);
  if (refusal !== null)
    return { id: 'workspace', ok: false, stops: true, why: refusal.message, fix: 'cd into a project' };
  const elsewhere = repositoryOutside(directory);
  if (elsewhere !== null) {
    return {
      id: 'workspace',
      ok: false,
      stops: false,
      why: `${name}, linked to the repository ${elsewhere}: it is outside, where commands can't write, so git works only for you`,
      fix: `signalbox -C ${dirname(elsewhere)} init   and work trees below it: git worktree add work/NAME`,
    };
  }
  const isGit = existsSync(join(directory, '.git'));
  return {
    id: 'workspace',
    ok: statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true,
    stops: true,
    why: `${name}${isGit ? ', a git workspace' : ', not a git repository: works, without git diff'}`,
  };
}

/** The git folder of the repository, if a `.git` that is a file or a link leads out of the workspace. */
function repositoryOutside(directory: string): string | null {
  try {
    const at = join(directory, '.git');
    const named = statSync(at).isFile() ? /^gitdir: (.+)/.exec(readFileSync(at, 'utf8'))?.[1] : '.git';
    if (named === undefined) return null;
    const own = realpathSync(resolve(directory, named));
    const common = join(own, 'commondir');
    const shared = existsSync(common) ? realpathSync(resolve(own, readFileSync(common, 'utf8').trim())) : own;
    return shared.startsWith(`${realpathSync(directory)}/`) ? null : shared;
  } catch {
    return null;
  }
}

function refusalOf(directory: string, env: Readonly<Record<string, string | undefined>>): UsageError | null {
  try {
    refuseWhole(directory, env);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}
