import type { CommandRecord } from '@signalbox/core';
import { structuredPatch } from 'diff';

/** A call as a person reads it before saying yes: the whole shell line, or what becomes of a file. */
export type CallText =
  | Readonly<{ kind: 'line'; asksTo: string; text: string }>
  | Readonly<{ kind: 'change'; asksTo: string; path: string; rows: readonly string[] }>;

/** @param before What stands in the file now; null when nothing does, undefined when that is not known. */
export function callText({ call }: Pick<CommandRecord, 'call'>, before?: string | null): CallText {
  const text = (key: string): string | undefined => {
    const value = call.args[key];
    return typeof value === 'string' ? value : undefined;
  };
  const line = shellLineOf(call);
  if (line !== undefined) return { kind: 'line', asksTo: 'run a shell line', text: line };
  const [path, content, oldText, newText] = [text('path'), text('content'), text('oldText'), text('newText')];
  if (path !== undefined && content !== undefined) {
    return {
      kind: 'change',
      asksTo: before === null ? 'create a file' : 'write a file',
      path,
      rows: changeRows(before, content),
    };
  }
  if (path !== undefined && oldText !== undefined && newText !== undefined) {
    return {
      kind: 'change',
      asksTo: 'edit a file',
      path,
      rows: [...marked('-', oldText), ...marked('+', newText)],
    };
  }
  return { kind: 'line', asksTo: `call ${call.tool}`, text: JSON.stringify(call.args) };
}

/** The line of a call that takes one, and can so be changed by a person in place. */
export function shellLineOf(call: CommandRecord['call']): string | undefined {
  const line = call.args['line'];
  return typeof line === 'string' ? line : undefined;
}

/** The same arguments with another line. */
export function withShellLine(
  args: CommandRecord['call']['args'],
  line: string,
): CommandRecord['call']['args'] {
  return { ...args, line };
}

/** A difference of thousands of lines is found in milliseconds; a hostile pair of texts must not take minutes. */
const MAX_DIFF_MS = 500;

/** Said in place of an empty difference. */
const SAME_TEXT = ' (the same text stands there already)';

function changeRows(before: string | null | undefined, after: string): readonly string[] {
  if (before === null || before === undefined) return marked('+', after);
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: MAX_DIFF_MS });
  if (patch === undefined) return [...marked('-', before), ...marked('+', after)];
  if (patch.hunks.length === 0) return [SAME_TEXT];
  return patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map((row) => row.replaceAll('\t', '  ')),
  ]);
}

function marked(sign: '+' | '-', text: string): readonly string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((row) => sign + row.replaceAll('\t', '  '));
}
