import type { CommandRecord } from './command.ts';
import type { ToolOrigin } from './tool-origin.ts';

/** One argument as text: strings unchanged, everything else as JSON. */
export type CallArgument = Readonly<{ name: string; value: string }>;

/** What a call is about, in the form in which a person decides on it. */
export type CallSubject = Readonly<
  /** `cwd`: the folder of the workspace that it runs in; null: the workspace. */
  | { kind: 'line'; line: string; cwd: string | null }
  | { kind: 'change'; deed: 'write' | 'edit'; path: string; before: string | null; after: string }
  /** A tool of another server: only that server knows what its arguments mean. */
  | { kind: 'foreign'; origin: ToolOrigin; args: readonly CallArgument[] }
  | { kind: 'call'; tool: string; args: readonly CallArgument[] }
>;

/**
 * Decided by the tool, never by argument names, which a foreign server chooses. No foreign tool can have the name of a
 * built-in one.
 */
export function callSubject({ call, origin }: Pick<CommandRecord, 'call' | 'origin'>): CallSubject {
  const { tool, args } = call;
  if (origin !== undefined) return { kind: 'foreign', origin, args: argumentsOf(args) };
  const { line, cwd, path, content, oldText, newText } = args;
  if (tool === 'bash' && isText(line)) {
    return { kind: 'line', line, cwd: isText(cwd) && cwd !== '.' && cwd !== '' ? cwd : null };
  }
  if (tool === 'write_file' && isText(path) && isText(content)) {
    return { kind: 'change', deed: 'write', path, before: null, after: content };
  }
  if (tool === 'edit_file' && isText(path) && isText(oldText) && isText(newText)) {
    return { kind: 'change', deed: 'edit', path, before: oldText, after: newText };
  }
  return { kind: 'call', tool, args: argumentsOf(args) };
}

/** Every argument, in order. */
function argumentsOf(args: CommandRecord['call']['args']): readonly CallArgument[] {
  return Object.entries(args).map(([name, value]) => ({
    name,
    value: isText(value) ? value : (JSON.stringify(value, null, 2) ?? ''),
  }));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
