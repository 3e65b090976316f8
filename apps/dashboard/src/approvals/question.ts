import type { CallSubject } from '@signalbox/core/call-subject';
import type { CommandView } from '@signalbox/api';

/** The call in plain words, until its effects are known. */
export function titleOf(subject: CallSubject): string {
  switch (subject.kind) {
    case 'line':
      return 'Run a shell line';
    case 'change':
      return `${subject.deed === 'edit' ? 'Edit' : 'Write'} ${subject.path}`;
    case 'foreign':
      return `Call ${subject.origin.tool} of the MCP server ${subject.origin.server}`;
    case 'call':
      return `Call ${subject.tool}`;
  }
}

/** The arguments with the user's own text in place. */
export function changedArgs(
  subject: CallSubject,
  text: string,
  args: CommandView['call']['args'],
): typeof args {
  if (subject.kind === 'line') return { ...args, line: text };
  return { ...args, content: text };
}

/** Text that the user may edit in place: a shell line, or the new content of a file. */
export function changeableText(subject: CallSubject): string | null {
  if (subject.kind === 'line') return subject.line;
  return subject.kind === 'change' && subject.deed === 'write' ? subject.after : null;
}

const VERBS: readonly (readonly [RegExp, string])[] = [
  [/\bpublish\b/, 'publish'],
  [/\bpush\b/, 'push'],
  [/\bdelete|\brm\b|\brmdir\b|clean\b/, 'delete'],
  [/\breset\b/, 'reset'],
  [/\binstall\b/, 'install'],
  [/\bsudo\b|\bsu\b/, 'run as root'],
];

/** Label for the second press: `Press again to publish`. */
export function verbOf(subject: CallSubject): string {
  switch (subject.kind) {
    case 'change':
      return `${subject.deed} this file`;
    case 'line':
      return VERBS.find(([pattern]) => pattern.test(subject.line))?.[1] ?? 'run it';
    case 'foreign':
    case 'call':
      return 'call it';
  }
}
