import {
  type Execution,
  exitCodeOf,
  type Files,
  type ToolAnswer,
  type ToolContext,
  ToolFailure,
} from '@signalbox/core';
import { namingNearest } from '../files/nearest-path.ts';
import { programAnswer } from '../shell/program-answer.ts';

/** Git's message about a path that neither exists nor is tracked. */
const UNKNOWN_PATH = /pathspec '([^'\n]+)' did not match any file/;

/** Returns git's answer. For an unknown path it fails with suggestions. */
export async function pathspecAnswer(
  execution: Execution,
  {
    files,
    paths,
    verb,
  }: {
    readonly files: Pick<Files, 'normalise' | 'list'>;
    readonly paths: readonly string[];
    readonly verb: string;
  },
): Promise<ToolAnswer> {
  const path = UNKNOWN_PATH.exec(execution.stderr.text)?.[1];
  if (exitCodeOf(execution) === 0 || path === undefined || !paths.includes(path))
    return programAnswer(execution);
  return noSuchPath(path, { files, verb });
}

/** @throws {ToolFailure} with suggestions if a path neither exists nor is tracked */
export async function needsPaths(
  paths: readonly string[],
  {
    files,
    git,
    verb,
  }: Pick<ToolContext, 'git'> & { readonly files: Pick<Files, 'normalise' | 'list'>; readonly verb: string },
): Promise<void> {
  const obstacle = await git.obstacle({ kind: 'stage', cwd: '.', paths: paths.map(files.normalise) });
  if (obstacle?.kind === 'no-path') await noSuchPath(obstacle.path, { files, verb });
}

function noSuchPath(
  path: string,
  { files, verb }: { readonly files: Pick<Files, 'normalise' | 'list'>; readonly verb: string },
): Promise<never> {
  const unknown = new ToolFailure({
    code: 'not-found',
    category: 'InvalidParameters',
    message: `Cannot ${verb} "${path}": there is no such file, and git tracks none. Nothing was staged`,
    suggestion: 'Look for the right path with git_status or list_directory',
  });
  return namingNearest<never>(path, { files, wanted: 'either' }, () => Promise.reject(unknown));
}
