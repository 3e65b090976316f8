import type { CommandRecord } from '@signalbox/core';
import { callSubject } from '@signalbox/core/call-subject';

/** The line of a call that has one, which an approver can edit. */
export function shellLineOf(record: Pick<CommandRecord, 'call' | 'origin'>): string | undefined {
  const subject = callSubject(record);
  return subject.kind === 'line' ? subject.line : undefined;
}

/** The same arguments with another line. */
export function withShellLine(
  args: CommandRecord['call']['args'],
  line: string,
): CommandRecord['call']['args'] {
  return { ...args, line };
}
