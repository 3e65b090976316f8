import type { CommandResult } from '@signalbox/core';

type Result = Pick<CommandResult, 'stdout' | 'stderr' | 'content' | 'failure'> | null | undefined;

/** Output of its programs. */
export function printedText(result: Result): string {
  return (result?.stdout ?? '') + (result?.stderr ?? '');
}

/** Its answer. A failure is worded for people: its `[tool_error]` text is for models. */
export function answerText(result: Result): string {
  if (result === null || result === undefined) return '';
  const { failure, content } = result;
  if (failure === null) return content;
  return [failure.message, ...(failure.why ?? [])].join('\n');
}
