import { type Execution, exitCodeOf, type ToolAnswer } from '@signalbox/core';

/** The answer of a tool that ran a program: always the same four fields (S001-19, H2). */
export function programAnswer(execution: Execution): ToolAnswer {
  return {
    output: {
      stdout: execution.stdout.text,
      stderr: execution.stderr.text,
      exit_code: exitCodeOf(execution),
      truncated: execution.stdout.truncated || execution.stderr.truncated,
    },
    execution,
  };
}
