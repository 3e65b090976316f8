import type { CallPreview, CommandRecord, ToolOrigin } from '@signalbox/core';
import { type CallArgument, callSubject } from '@signalbox/core/call-subject';
import { foldBlankRows } from '../../terminal/fold-blank-rows.ts';
import { changePatch } from './preview-view.ts';

/** A call as an approver reads it: the whole shell line, the change of a file, or every argument. */
export type CallText =
  | Readonly<{ kind: 'line'; wantsTo: string; text: string; cwd: string | null }>
  | Readonly<{ kind: 'change'; wantsTo: string; path: string; rows: readonly string[] }>
  | Readonly<{ kind: 'call'; wantsTo: string; args: readonly CallArgument[]; origin: ToolOrigin | null }>;

/** @param preview If it contains the change as a patch, that is shown instead of the new text. */
export function callText(
  record: Pick<CommandRecord, 'call' | 'origin'>,
  preview?: CallPreview | null,
): CallText {
  const subject = callSubject(record);
  switch (subject.kind) {
    case 'line':
      return { kind: 'line', wantsTo: 'run a shell line', text: subject.line, cwd: subject.cwd };
    case 'change': {
      const { deed, path, before, after } = subject;
      const rows = [...(before === null ? [] : marked('-', before)), ...marked('+', after)];
      return {
        kind: 'change',
        wantsTo: `${deed} a file`,
        path,
        rows: foldBlankRows(patchRows(changePatch(preview)) ?? rows, { isDiff: true }),
      };
    }
    case 'foreign': {
      const { origin, args } = subject;
      return {
        kind: 'call',
        wantsTo: `call ${origin.tool} of the MCP server ${origin.server}`,
        args,
        origin,
      };
    }
    case 'call':
      return { kind: 'call', wantsTo: `call ${subject.tool}`, args: subject.args, origin: null };
  }
}

/** All of it row by row, for use without its reasons. */
export function callTextRows(call: CallText): readonly string[] {
  switch (call.kind) {
    case 'line':
      return [...(call.cwd === null ? [] : [`in ${call.cwd}:`]), ...foldBlankRows(call.text.split('\n'))];
    case 'change':
      return [call.path, ...call.rows];
    case 'call':
      return [...(call.origin === null ? [] : [call.origin.confinement]), ...call.args.flatMap(argumentRows)];
  }
}

/** `title: Drop it`, with further rows of a longer value below it. */
export function argumentRows({ name, value }: CallArgument): readonly string[] {
  const [first = '', ...others] = foldBlankRows(value.split('\n'));
  return [`${name}: ${first}`, ...others];
}

/** Shown instead of an empty diff. */
const SAME_TEXT = ' (the file has this text already)';

/** The hunks, without the file names above them. */
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
