import { type Execution, exitCodeOf, type Files, type ToolAnswer, ToolFailure } from '@signalbox/core';
import { namingNearest } from './nearest-path.ts';
import { programAnswer } from './program-answer.ts';

/** What git says, in English, of a path that is neither there nor known to it. */
const UNKNOWN_PATH = /pathspec '([^'\n]+)' did not match any file/;

/** What git answered; where it knows no such path, a failure that names the files that may have been meant. */
export async function namingPathspec(
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
  const unknown = new ToolFailure({
    code: 'not-found',
    category: 'InvalidParameters',
    message: `Cannot ${verb} "${path}": there is no such file, and git knows none. Nothing was staged`,
    suggestion: 'Look for the right path with git_status or list_directory',
  });
  return namingNearest(path, { files, wanted: 'either' }, () => Promise.reject(unknown));
}
