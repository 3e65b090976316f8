import { type ToolContext, ToolFailure } from '@signalbox/core';

/** @throws {ToolFailure} if git would certainly find no repository */
export async function needsRepository(tool: string, { git }: Pick<ToolContext, 'git'>): Promise<void> {
  const obstacle = await git.obstacle({ kind: 'use', cwd: '.' });
  if (obstacle?.kind === 'no-repository') throw noRepository(tool);
}

export function noRepository(tool: string): ToolFailure {
  return new ToolFailure({
    code: 'no-repository',
    category: 'InvalidParameters',
    message: `Cannot run ${tool}: the workspace is not in a git repository`,
    suggestion: 'Work without git, or ask your user whether to make one with `git init`',
  });
}
