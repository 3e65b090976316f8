import type { AuditLine, AuditReport } from '@signalbox/coordinator';
import { GLANCES } from '../screen/icon.ts';
import { idLabels } from '../screen/id-labels.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { type Look, plural } from '../screen/look.ts';
import { tableLines } from '../screen/table.ts';

/** Lines of the permanent record, oldest first. */
export function auditView(entries: readonly AuditLine[], look: Look): readonly Line[] {
  if (entries.length === 0) return [line(muted('The record is empty: no command has ended yet'))];
  const label = idLabels(
    entries.map(({ command_id }) => command_id),
    look,
  );
  const rows = entries.map((entry) => [
    muted(entry.ts.slice(0, 19).replace('T', ' ')),
    label(entry.command_id),
    entry.provider,
    entry.tool,
    as(entry.result === 'completed' ? 'ok' : 'danger', entry.result),
    entry.approved_by ?? '–',
    muted(entry.rule ?? '–'),
  ]);
  const columns = [
    { title: 'UTC' },
    { title: 'ID' },
    { title: 'PROVIDER' },
    { title: 'TOOL' },
    { title: 'RESULT' },
    { title: 'APPROVED BY' },
    { title: 'RULE', gives: 'end' },
  ] as const;
  return tableLines(columns, rows, look);
}

/** What `signalbox audit verify` found. */
export function auditReportView(report: AuditReport): readonly Line[] {
  const torn =
    report.torn.length === 0
      ? ''
      : ` · ${plural(report.torn.length, 'line')} cut off by a crash: ${report.torn.slice(0, 5).join(', ')}`;
  const facts = `${plural(report.lines, 'line')}, ${plural(report.commands, 'command')}${torn}`;
  if (report.problems.length === 0) {
    return [
      line(
        as('ok', GLANCES.completed.icon),
        ` audit complete: every line unchanged, none missing · ${facts}`,
      ),
      line(muted(`  last hash ${report.head} (keep it elsewhere, and a cut-off end is noticed too)`)),
    ];
  }
  return [
    line(
      as('danger', GLANCES.failed.icon),
      ` the record was changed: ${plural(report.problems.length, 'problem')} · ${facts}`,
    ),
    ...report.problems.slice(0, 20).map(({ message }) => line('  ', message)),
  ];
}
