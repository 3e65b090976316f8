import type { CommandView, WaitingApproval } from '../api/views.ts';

/** What a call is about, as a person decides on it. */
export type Subject = Readonly<
  | { kind: 'line'; line: string }
  | { kind: 'change'; path: string; removed: string | null; text: string; deed: 'write' | 'edit' }
  | { kind: 'call'; text: string }
>;

export function subjectOf({ command }: WaitingApproval): Subject {
  const { args, tool } = command.call;
  const text = (key: string): string | null => {
    const value = args[key];
    return typeof value === 'string' ? value : null;
  };
  const [line, path, content] = [text('line'), text('path'), text('content')];
  const [oldText, newText] = [text('oldText'), text('newText')];
  if (line !== null) return { kind: 'line', line };
  if (path !== null && content !== null) {
    return { kind: 'change', path, removed: null, text: content, deed: 'write' };
  }
  if (path !== null && oldText !== null && newText !== null) {
    return { kind: 'change', path, removed: oldText, text: newText, deed: 'edit' };
  }
  return { kind: 'call', text: `${tool} ${JSON.stringify(args, null, 2)}` };
}

/** The call in plain words, until it is known what it would do. */
export function titleOf(subject: Subject, { call }: Pick<CommandView, 'call'>): string {
  switch (subject.kind) {
    case 'line':
      return 'Run a shell line';
    case 'change':
      return `${subject.deed === 'edit' ? 'Edit' : 'Write'} ${subject.path}`;
    case 'call':
      return `Call ${call.tool}`;
  }
}

/** The arguments with the person's own text in its place. */
export function changedArgs(subject: Subject, args: CommandView['call']['args'], text: string): typeof args {
  if (subject.kind === 'line') return { ...args, line: text };
  return { ...args, content: text };
}

/** What a person may change in place: a shell line, or what a file is written with. */
export function changeableText(subject: Subject): string | null {
  if (subject.kind === 'line') return subject.line;
  return subject.kind === 'change' && subject.deed === 'write' ? subject.text : null;
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
export function deedOf(subject: Subject): string {
  if (subject.kind === 'change') return `${subject.deed} this file`;
  const text = subject.kind === 'line' ? subject.line : subject.text;
  return DEEDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'run it';
}
