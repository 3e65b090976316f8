import {
  baselineRows,
  type BenchReport,
  commandLineOf,
  invariantText,
  mixText,
  percent,
  perSecond,
  TIME_TITLES,
  timeRows,
} from '@signalbox/bench';
import { as, BLANK, type Line, line, muted } from '../../terminal/line.ts';
import { duration, type RenderContext, plural } from '../../terminal/render-context.ts';
import { tableLines } from '../../terminal/table.ts';

/** The end of a run: its options, durations and costs, and whether all invariants hold. */
export function benchView(report: BenchReport, render: RenderContext): readonly Line[] {
  return [
    ...headLines(report),
    BLANK,
    ...timesTable(report, render),
    BLANK,
    ...costLines(report),
    ...baselineTable(report, render),
    BLANK,
    ...report.invariants.flatMap(invariantLines),
    ...shortestLines(report),
  ];
}

function headLines({ options, numbers, outcomes, killed }: BenchReport): readonly Line[] {
  const { scenario, agents, places, seed, mix, workers } = options;
  const ends = Object.entries(outcomes).map(([outcome, times]) => `${times} ${outcome}`);
  const isAlone = workers === 1 && killed === 0;
  const fleet = isAlone ? '' : `, ${plural(workers, 'process', { nouns: 'processes' })} (${killed} killed)`;
  return [
    line(
      as('bold', scenario),
      ` · ${plural(agents, 'agent')}, ${plural(places, 'place')}${fleet}, mix ${mixText(mix)}, seed ${seed}`,
    ),
    line(
      `${plural(numbers.commands, 'command')} in ${duration(numbers.elapsedMs)}: `,
      ends.length === 0 ? 'none answered' : ends.join(', '),
    ),
  ];
}

function timesTable(report: BenchReport, render: RenderContext): readonly Line[] {
  const [first, ...numbers] = TIME_TITLES.map((title) => title.toUpperCase());
  const columns = [{ title: first ?? '' }, ...numbers.map((title) => ({ title, align: 'right' as const }))];
  return tableLines(columns, timeRows(report), render);
}

function costLines({ numbers, memory, cpuPercent }: BenchReport): readonly Line[] {
  const { efficiency, idealMs } = numbers;
  const slope = memory.slopeMbPerMinute;
  return [
    line(
      as('bold', `${perSecond(numbers.perSecond)} commands/s`),
      ` · ${plural(numbers.contended, 'hand-off')} between who waited for the same file`,
    ),
    ...(efficiency === null || idealMs === null
      ? []
      : [
          line(
            `${percent(efficiency)} of what the claim graph allows`,
            muted(` (${duration(idealMs)}, if coordination cost nothing)`),
          ),
        ]),
    line(
      `CPU ${Math.round(cpuPercent)} % of one processor · memory at most ${Math.round(memory.peakRssMb)} MB`,
      slope === null ? '' : `, ${slope < 0 ? '−' : '+'}${Math.abs(slope).toFixed(2)} MB a minute`,
    ),
  ];
}

function baselineTable(report: BenchReport, render: RenderContext): readonly Line[] {
  const columns = [
    { title: 'IN THE SAME RUN' },
    { title: 'COMMANDS/S', align: 'right' },
    { title: 'SIGNALBOX TO IT', align: 'right' },
    { title: 'LOST UPDATES', align: 'right' },
  ] as const;
  const rows = baselineRows(report).map(({ name, perSecond: rate, ratio, lostUpdates }) => [
    name,
    rate,
    ratio,
    lostCell(lostUpdates),
  ]);
  return rows.length === 0 ? [] : [BLANK, ...tableLines(columns, rows, render)];
}

function lostCell(lost: number | null) {
  if (lost === null) return '–';
  return lost > 0 ? as('danger', String(lost)) : '0';
}

function invariantLines({
  id,
  facts,
  violated,
  violations,
}: BenchReport['invariants'][number]): readonly Line[] {
  const text = invariantText({ id });
  if (facts === 0) return [];
  if (violated === 0) return [line(as('ok', '✓'), ` ${text} `, muted(`· ${facts} looked at`))];
  return [
    line(as('danger', '✗'), ` ${text}: `, as('danger', plural(violated, 'violation'))),
    ...violations.slice(0, 5).map((violation) => line(`    ${violation.says}`)),
  ];
}

function shortestLines({ shortest, kept, options }: BenchReport): readonly Line[] {
  if (shortest === null) return [];
  return [
    BLANK,
    line(
      as('bold', `The shortest schedule found`),
      ` that violates “${shortest.invariant}” (seed ${options.seed}, ${plural(shortest.runs, 'run')})`,
    ),
    ...shortest.commands.slice(0, 20).map((command) => line(`  ${command}`)),
    ...(shortest.commands.length > 20 ? [line(muted(`  and ${shortest.commands.length - 20} more`))] : []),
    line(muted(`Again: ${commandLineOf(options)}`)),
    line(muted(`Kept: ${kept ?? ''}`)),
  ];
}
