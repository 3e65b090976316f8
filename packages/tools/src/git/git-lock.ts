import { type Execution, exitCodeOf, ToolFailure } from '@signalbox/core';

/** Git's message when another process holds the index: it has done nothing then. */
const LOCKED = /^fatal: Unable to create '[^'\n]*index\.lock': File exists/m;

/** @throws {ToolFailure} `git-locked` if another git process holds the index */
export function refuseIfLocked(tool: string, execution: Execution): void {
  if (exitCodeOf(execution) === 0 || !LOCKED.test(execution.stderr.text)) return;
  throw new ToolFailure({
    code: 'git-locked',
    category: 'ServerError',
    message: `Cannot run ${tool}: another git process holds the index (.git/index.lock)`,
    suggestion: 'Try again a little later; a lock that stays was left behind by a git that died',
    isUntouched: true,
  });
}
