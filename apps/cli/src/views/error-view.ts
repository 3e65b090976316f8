import type { ErrorReport, ReportPicture } from '../runtime/contract/error-report.ts';
import { wrap } from '../terminal/cells.ts';
import { as, type Line, line, muted, type TextRole } from '../terminal/line.ts';

/** An error as section 3 of the design draws it: what could not be done, `why` the facts, `next` lines to paste. */
export function errorView(
  report: ErrorReport,
  verbose: number,
  { width = Infinity }: Readonly<{ width?: number }> = {},
): readonly Line[] {
  const labelled = (
    label: string,
    rows: readonly string[],
    { role }: Readonly<{ role: TextRole }>,
  ): readonly Line[] => labelledRows(label, rows, { role, width });
  const [first = '', ...rest] = wrap(report.message, Math.max(20, width - 10 - report.code.length));
  return [
    line(as('danger', 'error'), muted(`[${report.code}]`), ': ', as('bold', first)),
    ...rest.map((row) => line('  ', as('bold', row))),
    ...(report.picture === undefined ? [] : pictureLines(report.picture)),
    ...labelled('why', report.why, { role: 'text' }),
    ...labelled('next', report.next, { role: 'accent' }),
    ...(verbose > 0 ? labelled('from', report.causes, { role: 'muted' }) : []),
    ...(verbose > 1 && report.stack !== undefined
      ? report.stack.split('\n').map((row) => line('  ', muted(row.trim())))
      : []),
  ];
}

function labelledRows(
  label: string,
  rows: readonly string[],
  { role, width }: Readonly<{ role: TextRole; width: number }>,
): readonly Line[] {
  return rows
    .flatMap((row) => row.split('\n'))
    .flatMap((row) => wrap(row, Math.max(20, width - 8)))
    .map((row, i) => line('  ', muted((i === 0 ? label : '').padEnd(6)), as(role, row)));
}

function pictureLines({ file, line: number, column, source, length }: ReportPicture): readonly Line[] {
  const width = String(number).length;
  const first = number - source.length + 1;
  const margin = ' '.repeat(width + 1);
  return [
    line(muted(`${margin}┌ ${file}:${number}:${column}`)),
    ...source.map((text, i) => line(muted(`${String(first + i).padStart(width)} │ `), indented(text))),
    line(
      muted(`${margin}│ `),
      indented(' '.repeat(column - 1)),
      as('danger', '^'.repeat(Math.max(1, length))),
    ),
  ];
}

/** Leading blanks are the file's own and harmless: they are kept. */
function indented(text: string): Line {
  const blanks = /^ */.exec(text)?.[0] ?? '';
  return line(...(blanks.match(/ {1,8}/g) ?? []), text.slice(blanks.length));
}
