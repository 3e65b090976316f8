import { type Execution, exitCodeOf, type ToolAnswer } from '@signalbox/core';

/** What a tool answers that ran a program: the same four fields always (S001-19, H2). */
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
