import { type Line, line, muted } from '../screen/line.ts';
import { duration, type Look, plural } from '../screen/look.ts';
import { tableLines } from '../screen/table.ts';
import type { StatsRead } from '../sight/sight.ts';

/** Numbers by provider. */
export function statsView({ providers, approvals, busiestFile }: StatsRead, look: Look): readonly Line[] {
  if (providers.length === 0) return [line(muted('No command has ended in this time'))];
  const rows = providers.map((one) => [
    one.provider,
    String(one.commands),
    String(one.failed),
    String(one.denied),
    duration(one.medianMs),
    duration(one.p95Ms),
    duration(one.waitedMs),
    one.mostUsed
      .slice(0, 1)
      .map(({ tool, commands }) => `${tool} ${commands}`)
      .join(''),
  ]);
  const columns = [
    { title: 'PROVIDER' },
    { title: 'COMMANDS', align: 'right' },
    { title: 'FAILED', align: 'right' },
    { title: 'DENIED', align: 'right' },
    { title: 'MEDIAN', align: 'right' },
    { title: 'P95', align: 'right' },
    { title: 'WAITED', align: 'right' },
    { title: 'MOST USED', gives: 'end' },
  ] as const;
  return [...tableLines(columns, rows, look), line(muted(closing({ approvals, busiestFile })))];
}

function closing({ approvals, busiestFile }: Omit<StatsRead, 'providers'>): string {
  const { granted, refused, expired, medianAnswerMs } = approvals;
  const asked =
    granted + refused + expired === 0
      ? 'Approvals: none'
      : `Approvals: ${granted} granted, ${refused} refused${expired > 0 ? `, ${expired} expired` : ''}`;
  const answer = medianAnswerMs === null ? '' : `, median answer ${duration(medianAnswerMs)}`;
  const busiest =
    busiestFile === null
      ? ''
      : ` · busiest file ${busiestFile.path} (${plural(busiestFile.changes, 'change')})`;
  return `${asked}${answer}${busiest}`;
}
