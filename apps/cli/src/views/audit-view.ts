import type { AuditLine, AuditReport } from '@signalbox/coordinator';
import { STATUS_ICONS } from '../terminal/icon.ts';
import { cutEnd, fit, gap, padded } from '../terminal/cells.ts';
import { idLabel, idLabels } from '../terminal/id-labels.ts';
import { as, type Line, line, muted, type Piece, type TextRole } from '../terminal/line.ts';
import { type RenderContext, plural } from '../terminal/render-context.ts';
import { tableLines } from '../terminal/table.ts';

/** Up to this width the rule that allowed it is shown instead of the year. */
const NARROW = 100;
const PROVIDER = 12;
const TOOL = 14;
const RESULT = 10;
const MAX_PROBLEMS = 20;

/** Lines of the audit log, oldest first. */
export function auditView(entries: readonly AuditLine[], render: RenderContext): readonly Line[] {
  if (entries.length === 0) return [line('No lines in the audit log')];
  const label = idLabels(
    entries.map(({ command_id }) => command_id),
    render,
  );
  const rows = entries.map((entry) => [
    muted(whenOf(entry, render)),
    label(entry.command_id),
    entry.provider,
    entry.tool,
    resultOf(entry),
    entry.approved_by ?? '–',
    muted(entry.rule ?? '–'),
  ]);
  const columns = [
    { title: 'UTC' },
    { title: 'ID' },
    { title: 'PROVIDER' },
    { title: 'TOOL' },
    { title: 'RESULT' },
    { title: 'APPROVED BY', gives: 'end' },
    { title: 'RULE', gives: 'end' },
  ] as const;
  return tableLines(columns, rows, render);
}

/** One of them: rows are printed one by one, so their columns have a fixed width. */
export function auditRow(entry: AuditLine, render: RenderContext): Line {
  const { command_id: id, provider, tool, rule, approved_by: by } = entry;
  const isCut = render.width < Infinity;
  const column = (text: string, width: number, { role = 'text' }: Readonly<{ role?: TextRole }> = {}): Line =>
    padded(isCut ? cutEnd(text, width) : text, width, { role });
  const row = line(
    muted(whenOf(entry, render)),
    gap(2),
    as('bold', idLabel(id, render)),
    '  ',
    column(provider, PROVIDER),
    ' ',
    column(tool, TOOL),
    ' ',
    column(entry.result, RESULT, { role: resultOf(entry).role }),
    ` ${by ?? '–'}  `,
    muted(rule ?? '–'),
  );
  return fit(row, render.width);
}

function whenOf({ ts }: AuditLine, { width }: RenderContext): string {
  return ts.slice(width < NARROW ? 5 : 0, 19).replace('T', ' ');
}

function resultOf({ result }: AuditLine): Piece {
  return as(result === 'completed' ? 'ok' : 'danger', result);
}

/** What `signalbox audit verify` found. */
export function auditReportView(report: AuditReport): readonly Line[] {
  const torn =
    report.torn.length === 0
      ? ''
      : ` · ${plural(report.torn.length, 'line')} cut off by a crash: ${report.torn.slice(0, 5).join(', ')}`;
  const archives = report.files.length < 2 ? '' : ` in ${report.files.length} files`;
  const facts = `${plural(report.lines, 'line')}${archives}, ${plural(report.commands, 'command')}${torn}`;
  if (report.problems.length === 0) {
    return [
      line(
        as('ok', STATUS_ICONS.completed.icon),
        ` audit log consistent: no changed or missing lines found · ${facts}`,
      ),
      line(muted(`  last hash ${report.head}`)),
      line(muted('  Store this hash elsewhere: audit verify --head HASH then detects a rewritten log')),
    ];
  }
  return [
    line(
      as('danger', STATUS_ICONS.failed.icon),
      ` the audit log was changed: ${plural(report.problems.length, 'problem')} · ${facts}`,
    ),
    ...report.problems
      .slice(0, MAX_PROBLEMS)
      .map(({ file, message }) => line('  ', report.files.length < 2 ? message : `${file}: ${message}`)),
    ...(report.problems.length > MAX_PROBLEMS
      ? [line(muted(`  and ${report.problems.length - MAX_PROBLEMS} more: --json has all`))]
      : []),
  ];
}
