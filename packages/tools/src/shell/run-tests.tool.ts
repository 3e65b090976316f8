import { ALL_MODES, defineTool } from '@signalbox/core';
import * as z from 'zod';
import { Operand } from '../arguments.ts';
import { checkAnswer } from './check-answer.ts';
import { ProgramOutput } from './program-answer.ts';
import { folderOf, workspaceLine } from './workspace-line.ts';

export const runTests = defineTool({
  name: 'run_tests',
  aliases: ['tests.run', 'test'],
  description:
    'Runs the tests of the workspace in the sandbox, as signalbox.yaml says, and reports counts and the first failures. Give targets (files, names) to run only those.',
  requestKind: 'bash',
  category: 'read_only',
  risk: 'medium',
  // The workspace's own lines may write anything, such as reports, caches and snapshots.
  hints: { readOnly: false },
  // Runs the workspace's own code, which is unwanted while the workspace is suspect.
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  requiresSandbox: true,
  reuse: 'runs',
  timeoutMs: 300_000,
  args: z.strictObject({
    targets: z.array(Operand).max(100).default([]).describe('What to test; all when empty'),
  }),
  output: ProgramOutput,
  describe: ({ targets }) => targets.join(' '),
  shellLine: ({ targets }, { tests, workingDir }) => ({
    line: workspaceLine('tests', { line: tests, operands: targets }),
    ...folderOf(workingDir),
  }),
  effects: () => [{ kind: 'repository-code' }],
  async handle({ targets }, { run, lines: { tests, testsReport, workingDir }, files }) {
    const lineWith = (flags: string): string =>
      workspaceLine('tests', { line: tests, flags, operands: targets });
    const execution = await run(
      { kind: 'shell', line: lineWith('') },
      {
        isCheck: true,
        ...folderOf(workingDir),
        ...(testsReport === undefined
          ? {}
          : { report: { line: lineWith(testsReport.flags), env: testsReport.env } }),
      },
    );
    return checkAnswer(execution, 'tests', { files });
  },
});
