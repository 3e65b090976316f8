import type { CommandResult } from '@signalbox/core';

type Result = Pick<CommandResult, 'stdout' | 'stderr' | 'content' | 'failure'> | null | undefined;

/** What its programs printed. */
export function printedText(result: Result): string {
  return (result?.stdout ?? '') + (result?.stderr ?? '');
}

/** What it answered. A failure is told in a person's words: what the model reads of it, `[tool_error]`, is for models. */
export function answerText(result: Result): string {
  if (result === null || result === undefined) return '';
  const { failure, content } = result;
  if (failure === null) return content;
  return [failure.message, ...(failure.why ?? [])].join('\n');
}
