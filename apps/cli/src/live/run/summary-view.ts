import { runCheckText, savingsText } from '@signalbox/api';
import { addSavings, NO_SAVINGS, shortId } from '@signalbox/core';
import type { ProviderSummary, RunSummary } from './run-summary.ts';
import { STATUS_ICONS } from '../../terminal/icon.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { clockTime, count, type RenderContext, money, plural } from '../../terminal/render-context.ts';
import { tableLines } from '../../terminal/table.ts';

/** `✓ npm test passed after 1:48`, above the table; on standard error. */
export function summaryHead({ until, checks, tookMs, providers }: RunSummary): Line {
  const after = `after ${clockTime(tookMs)}`;
  if (until === null) {
    const finished = providers.filter(({ finish }) => finish === 'finished').length;
    const all = finished === providers.length;
    return line(
      as(all ? 'ok' : 'danger', all ? STATUS_ICONS.completed.icon : STATUS_ICONS.failed.icon),
      ` ${finished} of ${plural(providers.length, 'session')} finished ${after}`,
    );
  }
  const times = checks.length < 2 ? '' : `, ${plural(checks.length, 'check')}`;
  return until.passed
    ? line(as('ok', STATUS_ICONS.completed.icon), ` ${until.line} passed ${after}${times}`)
    : line(
        as('danger', STATUS_ICONS.failed.icon),
        ` ${until.line} failed${until.exitCode === null ? '' : ` (exit ${until.exitCode})`} ${after}${times}${until.why[0] === undefined ? '' : `: ${until.why.join('. ')}`}`,
      );
}

/** `  check 2  npm test failed (exit 1): no check is left`; one row is the head again. */
function checkRows({ checks }: Pick<RunSummary, 'checks'>): readonly Line[] {
  if (checks.length < 2) return [];
  return checks.map((check) => line('  check ', String(check.round), '  ', muted(runCheckText(check))));
}

/** The table: the answer of a run, on standard output. */
export function summaryTable({ providers }: RunSummary, render: RenderContext): readonly Line[] {
  const rows = providers.map(summaryRow);
  const total = providers.length > 1 ? [summaryRow(totalOf(providers))] : [];
  const columns = [
    { title: 'PROVIDER', gives: 'end' },
    ...['TURNS', 'COMMANDS', 'FILES', 'WAITS', 'STALE', 'TOKENS IN/OUT', 'COST', 'TIME'].map((title) => ({
      title,
      align: 'right' as const,
    })),
  ] as const;
  return tableLines(columns, [...rows, ...total], render);
}

/** Notes and next steps, below the table; on standard error. */
export function summaryTail(summary: RunSummary): readonly Line[] {
  const { files, ignoredFiles, linesAdded, linesRemoved, approvals, conflicts, blocked, lost } = summary;
  const saved = savingsText(totalOf(summary.providers).saved);
  const asked = approvals.granted + approvals.refused + approvals.expired;
  const ids = (list: readonly string[]): string =>
    list
      .slice(0, 5)
      .map((id) => shortId(id))
      .join(', ');
  const facts = [
    files.length === 0
      ? 'no file changed'
      : `${plural(files.length, 'file')} changed, +${linesAdded} -${linesRemoved}`,
    ...(ignoredFiles === 0 ? [] : [`${plural(ignoredFiles, 'file')} that git ignores`]),
    ...(asked === 0
      ? []
      : [`${approvals.granted} approved, ${approvals.refused} denied, ${approvals.expired} expired`]),
    ...(saved === '' ? [] : [saved]),
  ];
  const notes = [
    ...(conflicts.length === 0
      ? []
      : [`${plural(conflicts.length, 'stale write')} rejected (${ids(conflicts)})`]),
    ...(blocked.length === 0 ? [] : [`${blocked.length} blocked (${ids(blocked)})`]),
    ...(lost.length === 0 ? [] : [`${lost.length} with unknown outcome: review them (${ids(lost)})`]),
  ];
  return [
    line(facts.join(' · ')),
    ...checkRows(summary),
    ...(notes.length === 0 ? [] : [line(notes.join(' · '))]),
    ...files.slice(0, 10).map(({ path, providers }) => line('  ', path, muted(`  ${providers.join(', ')}`))),
    ...(files.length > 10 ? [line(muted(`  and ${files.length - 10} more`))] : []),
    line(
      muted('Next: '),
      ...(files.length === 0 ? [] : [as('accent', 'git diff'), '      ']),
      as('accent', 'signalbox history'),
      '      ',
      as('accent', 'signalbox audit verify'),
    ),
  ];
}

function summaryRow(row: ProviderSummary): readonly string[] {
  return [
    row.provider,
    String(row.turns),
    String(row.commands),
    String(row.files),
    row.waits === 0 ? '0' : `${row.waits} ${clockTime(row.waitedMs)}`,
    String(row.conflicts),
    `${count(row.usage.inputTokens)} / ${count(row.usage.outputTokens)}`,
    money(row.costUsd),
    clockTime(row.tookMs),
  ];
}

function totalOf(rows: readonly ProviderSummary[]): ProviderSummary {
  const sum = (of: (row: ProviderSummary) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const prices = rows.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return {
    // Can't collide with a provider id, which begins with a lower-case letter.
    provider: 'Total' as ProviderSummary['provider'],
    finish: '',
    turns: sum(({ turns }) => turns),
    commands: sum(({ commands }) => commands),
    files: sum(({ files }) => files),
    waits: sum(({ waits }) => waits),
    waitedMs: sum(({ waitedMs }) => waitedMs),
    conflicts: sum(({ conflicts }) => conflicts),
    usage: {
      inputTokens: sum(({ usage }) => usage.inputTokens),
      cachedInputTokens: sum(({ usage }) => usage.cachedInputTokens),
      cacheWriteTokens: sum(({ usage }) => usage.cacheWriteTokens),
      outputTokens: sum(({ usage }) => usage.outputTokens),
      reasoningTokens: sum(({ usage }) => usage.reasoningTokens),
    },
    saved: rows.map(({ saved }) => saved).reduce(addSavings, NO_SAVINGS),
    costUsd: prices.length === 0 ? null : prices.reduce((total, price) => total + price, 0),
    tookMs: Math.max(0, ...rows.map(({ tookMs }) => tookMs)),
  };
}
