import type { CallPreview, CommandRecord } from '@signalbox/core';
import { changePatch } from './preview-view.ts';

/** A call as a person reads it before they approve it: the whole shell line, or what becomes of a file. */
export type CallText =
  | Readonly<{ kind: 'line'; wantsTo: string; text: string }>
  | Readonly<{ kind: 'change'; wantsTo: string; path: string; rows: readonly string[] }>;

/** @param preview Where it holds the change as a patch, that is shown in place of the new text alone. */
export function callText({ call }: Pick<CommandRecord, 'call'>, preview?: CallPreview | null): CallText {
  const text = (key: string): string | undefined => {
    const value = call.args[key];
    return typeof value === 'string' ? value : undefined;
  };
  const line = shellLineOf(call);
  if (line !== undefined) return { kind: 'line', wantsTo: 'run a shell line', text: line };
  const [path, content, oldText, newText] = [text('path'), text('content'), text('oldText'), text('newText')];
  const isEdit = oldText !== undefined && newText !== undefined;
  if (path === undefined || (content === undefined && !isEdit)) {
    return { kind: 'line', wantsTo: `call ${call.tool}`, text: JSON.stringify(call.args) };
  }
  const rows = isEdit ? [...marked('-', oldText), ...marked('+', newText)] : marked('+', content ?? '');
  const wantsTo = isEdit ? 'edit a file' : 'write a file';
  return { kind: 'change', wantsTo, path, rows: patchRows(changePatch(preview)) ?? rows };
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

/** Said in place of an empty difference. */
const SAME_TEXT = ' (the file has this text already)';

/** The hunks, without the names above them. */
function patchRows(patch: string | undefined): readonly string[] | undefined {
  const rows = patch?.split('\n').slice(2);
  if (rows === undefined) return undefined;
  return rows.length === 0 ? [SAME_TEXT] : rows.map((row) => row.replaceAll('\t', '  '));
}

function marked(sign: '+' | '-', text: string): readonly string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((row) => sign + row.replaceAll('\t', '  '));
}
