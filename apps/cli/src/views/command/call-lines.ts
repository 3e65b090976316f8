import type { CommandRecord } from '@signalbox/core';
import type { CallArgument } from '@signalbox/core/call-subject';
import { hidesSomething } from '@signalbox/core/visible-text';
import { gap, wrap } from '../../terminal/cells.ts';
import { as, type Line, line, muted, type TextRole } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { argumentRows, type CallText, callTextRows } from './call-text.ts';
import { partsOfDiffRow } from './diff-row.ts';
import { judgedLine } from './verdict-view.ts';

type CallLinesOf = Readonly<{ record: Pick<CommandRecord, 'verdict'>; full: boolean }>;

/** Exactly what would run, with a warning if it hides something. */
export function callLines(call: CallText, of: CallLinesOf, render: RenderContext): readonly Line[] {
  return [...exactly(call, of, render), ...hiddenWarning(call, render)];
}

function exactly(call: CallText, { record, full }: CallLinesOf, render: RenderContext): readonly Line[] {
  const width = Math.max(10, render.width - 3);
  const rowsOf = (text: string, role: TextRole): readonly Line[] =>
    wrap(text, width).map((row) => line('   ', as(role, row)));
  switch (call.kind) {
    case 'line':
      return [
        ...(call.cwd === null ? [] : rowsOf(`in ${call.cwd}:`, 'warn')),
        ...judgedLine(call.text, record.verdict, { render, indent: '   ' }),
      ];
    case 'change':
      return [...rowsOf(call.path, 'bold'), ...call.rows.flatMap((row) => wrappedDiffRow(row, render))];
    case 'call':
      return [
        ...(call.origin === null
          ? []
          : rowsOf(call.origin.confinement, call.origin.isConfined ? 'muted' : 'danger')),
        ...(call.args.length === 0 ? [line('   ', muted('no arguments'))] : []),
        ...call.args
          .map((argument) => (full ? argument : shortened(argument)))
          .flatMap((argument) => argumentRows(argument).flatMap((row) => rowsOf(row, 'bold'))),
      ];
  }
}

/** Characters of one argument; a longer one says how many more there are, and `v` shows them. */
const MAX_VALUE = 2000;

function shortened({ name, value }: CallArgument): CallArgument {
  const left = value.length - MAX_VALUE;
  if (left <= 0) return { name, value };
  const more = `… ${left.toLocaleString('en-US')} more characters (v shows all)`;
  return { name, value: `${value.slice(0, MAX_VALUE).toWellFormed()}${more}` };
}

/** A full row of a diff, wrapped. */
function wrappedDiffRow(row: string, render: RenderContext): readonly Line[] {
  const { sign, blanks, text, role } = partsOfDiffRow(row);
  return wrap(text, Math.max(10, render.width - 4 - blanks)).map((part, i) =>
    line('   ', as(role, i === 0 ? sign : ' '), gap(blanks), as(role, part)),
  );
}

/** Hidden characters are never approved without a warning. */
function hiddenWarning(call: CallText, render: RenderContext): readonly Line[] {
  // Indentation begins after the sign of a changed row.
  const rows =
    call.kind === 'change' ? [call.path, ...call.rows.map((row) => row.slice(1))] : callTextRows(call);
  if (!hidesSomething(rows.join('\n'))) return [];
  const warning = 'contains invisible or reordering characters, shown as escapes';
  return wrap(warning, Math.max(10, render.width - 5)).map((row) => line('   ', as('danger', row)));
}
