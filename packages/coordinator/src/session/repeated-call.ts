import type { ToolCall } from '@signalbox/core';

/** So many failures of the same call in a row are a loop. */
const TOO_MANY = 3;

/** The last call that failed, and how often in a row it was made. */
export type FailureStreak = { readonly call: string; readonly failures: number } | null;

export const LOOP_NOTE = `This same call has failed ${TOO_MANY} times in a row. It is not executed again: change it, or do without it.`;

/** Whether the call has failed so often that it is not worth executing once more. */
export function isLooping(streak: FailureStreak, call: ToolCall): boolean {
  return streak !== null && streak.failures >= TOO_MANY && streak.call === nameOf(call);
}

/** Any other call in between, and any success, begins anew: a test that fails after each edit is no loop. */
export function streakAfter(streak: FailureStreak, call: ToolCall, success: boolean): FailureStreak {
  if (success) return null;
  const name = nameOf(call);
  return { call: name, failures: streak?.call === name ? streak.failures + 1 : 1 };
}

function nameOf(call: ToolCall): string {
  return `${call.name} ${call.argsText.trim()}`;
}
