import { INVARIANTS, type InvariantId } from '../checks/invariant.ts';
import { as, BLANK, type Line, line, muted } from '../../../terminal/line.ts';
import { duration, type Look, plural } from '../../../terminal/look.ts';
import { tableLines } from '../../../terminal/table.ts';
import { mixText } from '../plan/bench-options.ts';
import { commandLineOf } from '../plan/command-line.ts';
import { type BenchReport, lostUpdates } from './bench-report.ts';
import { milliseconds, perSecond, percent, ratioText } from './number-text.ts';

/** The end of a run: what it was, how long things took, what it cost, and whether all invariants hold. */
export function benchView(report: BenchReport, look: Look): readonly Line[] {
  return [
    ...headLines(report),
    BLANK,
    ...timesTable(report, look),
    BLANK,
    ...costLines(report),
    ...(report.baselines.length === 0 ? [] : [BLANK, ...baselineTable(report, look)]),
    BLANK,
    ...report.invariants.flatMap(invariantLines),
    ...shortestLines(report),
  ];
}

function headLines({ options, numbers, outcomes, killed }: BenchReport): readonly Line[] {
  const { scenario, agents, places, seed, mix, workers } = options;
  const ends = Object.entries(outcomes).map(([outcome, times]) => `${times} ${outcome}`);
  const fleet = workers === 1 ? '' : `, ${plural(workers, 'process', 'processes')} (${killed} killed)`;
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

function timesTable({ numbers }: BenchReport, look: Look): readonly Line[] {
  const columns = [
    { title: '' },
    { title: 'P50', align: 'right' },
    { title: 'P90', align: 'right' },
    { title: 'P99', align: 'right' },
    { title: 'MAX', align: 'right' },
    { title: 'TIMES', align: 'right' },
  ] as const;
  const rows = [
    ['submit → start', numbers.submitToStart],
    ['start → end', numbers.startToEnd],
    ['end → answer', numbers.endToAnswer],
    ['submit → answer', numbers.submitToAnswer],
    ['hand-off of a file', numbers.handOff],
  ] as const;
  return tableLines(
    columns,
    rows
      .filter(([, { count }]) => count > 0)
      .map(([what, { p50, p90, p99, max, count }]) => [
        what,
        ...[p50, p90, p99, max].map(milliseconds),
        String(count),
      ]),
    look,
  );
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

/** What the same commands were run by besides. */
export const BASELINES = {
  plain: 'plain execution, as many places',
  'one-lock': 'one global lock',
  bullmq: 'raw BullMQ, as many places',
} as const;

function baselineTable(report: BenchReport, look: Look): readonly Line[] {
  const { baselines, numbers } = report;
  const columns = [
    { title: 'IN THE SAME RUN' },
    { title: 'COMMANDS/S', align: 'right' },
    { title: 'SIGNALBOX TO IT', align: 'right' },
    { title: 'LOST UPDATES', align: 'right' },
  ] as const;
  return tableLines(
    columns,
    [
      ['Signalbox', perSecond(numbers.perSecond), '', lostCell(lostUpdates(report))],
      ...baselines.map(({ id, perSecond: rate, lostUpdates: lost }) => [
        BASELINES[id],
        perSecond(rate),
        ratioText(numbers.perSecond / rate),
        lost === null ? '–' : lostCell(lost),
      ]),
    ],
    look,
  );
}

function lostCell(lost: number) {
  return lost > 0 ? as('danger', String(lost)) : '0';
}

function invariantLines({
  id,
  facts,
  violated,
  violations,
}: BenchReport['invariants'][number]): readonly Line[] {
  const says = INVARIANTS[id as InvariantId] ?? id;
  if (facts === 0) return [];
  if (violated === 0) return [line(as('ok', '✓'), ` ${says} `, muted(`· ${facts} looked at`))];
  return [
    line(as('danger', '✗'), ` ${says}: `, as('danger', plural(violated, 'violation'))),
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
