import { type Execution, exitCodeOf, type ToolAnswer } from '@signalbox/core';
import * as z from 'zod';

/** What every tool that runs a program answers: always the same four fields (S001-19, H2). */
export const ProgramOutput = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.int().describe('-1 when the program did not end by itself'),
  truncated: z.boolean().describe('Whether the middle of a stream was left out'),
});

export function programAnswer(execution: Execution): ToolAnswer {
  const output: z.infer<typeof ProgramOutput> = {
    stdout: execution.stdout.text,
    stderr: execution.stderr.text,
    exit_code: exitCodeOf(execution),
    truncated: execution.stdout.truncated || execution.stderr.truncated,
  };
  return { output, execution };
}
