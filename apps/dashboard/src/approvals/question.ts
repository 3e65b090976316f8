import type { CallSubject } from '@signalbox/core/call-subject';
import type { CommandView } from '@signalbox/api';

/** The call in plain words, until it is known what it would do. */
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

/** The arguments with the person's own text in its place. */
export function changedArgs(
  subject: CallSubject,
  args: CommandView['call']['args'],
  text: string,
): typeof args {
  if (subject.kind === 'line') return { ...args, line: text };
  return { ...args, content: text };
}

/** What a person may change in place: a shell line, or what a file is written with. */
export function changeableText(subject: CallSubject): string | null {
  if (subject.kind === 'line') return subject.line;
  return subject.kind === 'change' && subject.deed === 'write' ? subject.after : null;
}

const DEEDS: readonly (readonly [RegExp, string])[] = [
  [/\bpublish\b/, 'publish'],
  [/\bpush\b/, 'push'],
  [/\bdelete|\brm\b|\brmdir\b|clean\b/, 'delete'],
  [/\breset\b/, 'reset'],
  [/\binstall\b/, 'install'],
  [/\bsudo\b|\bsu\b/, 'run as root'],
];

/** The deed that the second press does: `Press again to publish`. */
export function deedOf(subject: CallSubject): string {
  switch (subject.kind) {
    case 'change':
      return `${subject.deed} this file`;
    case 'line':
      return DEEDS.find(([pattern]) => pattern.test(subject.line))?.[1] ?? 'run it';
    case 'foreign':
    case 'call':
      return 'call it';
  }
}
