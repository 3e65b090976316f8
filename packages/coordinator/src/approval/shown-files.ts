import { type CommandRecord, type Effect, type Files, type Tool, ToolFailure } from '@signalbox/core';
import { planLine } from '@signalbox/policy';

type Lines = Parameters<NonNullable<Tool['shellLine']>>[1];

/**
 * The files whose text an approval request shows: scripts, and the `package.json` that defines one. What a person saw
 * must be what runs, so these files are bound like those that the call says it reads.
 */
export function shownFiles(
  { call }: Pick<CommandRecord, 'call'>,
  {
    tool,
    lines,
    files,
  }: {
    readonly tool: Pick<Tool, 'shellLine'> | undefined;
    readonly lines: Lines;
    readonly files: Pick<Files, 'normalise'>;
  },
): readonly Effect[] {
  try {
    const shell = tool?.shellLine?.(call.args, lines);
    if (shell === undefined) return [];
    return planLine(shell.line, files.normalise(shell.cwd ?? '.')).steps.flatMap((step): Effect[] => {
      switch (step.kind) {
        case 'run-file':
          return [{ kind: 'read', path: step.path, scope: 'file' }];
        case 'run-package-script':
          return [{ kind: 'read', path: files.normalise(`${step.cwd}/package.json`), scope: 'file' }];
        case 'change':
        case 'no-plan':
        case 'stage':
        case 'commit':
        case 'push':
          return [];
      }
    });
  } catch (error) {
    // The line can't be built any more, or the folder is outside: nothing is shown.
    if (error instanceof ToolFailure) return [];
    throw error;
  }
}
