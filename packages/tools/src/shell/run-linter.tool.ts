import { ALL_MODES, defineTool } from '@signalbox/core';
import * as z from 'zod';
import { Operand } from '../arguments.ts';
import { checkAnswer } from './check-answer.ts';
import { ProgramOutput } from './program-answer.ts';
import { folderOf, workspaceLine } from './workspace-line.ts';

export const runLinter = defineTool({
  name: 'run_linter',
  aliases: ['lint.run', 'lint'],
  description:
    'Runs the linter of the workspace in the sandbox, as signalbox.yaml says, and reports counts and the first findings. Give targets (files, directories) to check only those.',
  requestKind: 'bash',
  category: 'read_only',
  risk: 'low',
  // The workspace's own lines may write anything, such as caches and fixes.
  hints: { readOnly: false },
  // Runs the workspace's own code, which is unwanted while the workspace is suspect.
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  requiresSandbox: true,
  reuse: 'runs',
  timeoutMs: 120_000,
  args: z.strictObject({
    targets: z.array(Operand).max(100).default([]).describe('What to check; all when empty'),
  }),
  output: ProgramOutput,
  describe: ({ targets }) => targets.join(' '),
  shellLine: ({ targets }, { lint, workingDir }) => ({
    line: workspaceLine('lint', { line: lint, operands: targets }),
    ...folderOf(workingDir),
  }),
  effects: () => [{ kind: 'repository-code' }],
  async handle({ targets }, { run, lines, files }) {
    const line = workspaceLine('lint', { line: lines.lint, operands: targets });
    return checkAnswer(
      await run({ kind: 'shell', line }, { isCheck: true, ...folderOf(lines.workingDir) }),
      'findings',
      { files },
    );
  },
});
