import { as, BLANK, type Line, line, muted } from '../../../terminal/line.ts';
import { type Look, plural } from '../../../terminal/look.ts';
import { tableLines } from '../../../terminal/table.ts';
import { type BenchReport, holds } from './bench-report.ts';
import { milliseconds, perSecond, percent, ratioText } from './number-text.ts';

type Row = Readonly<{
  what: string;
  of: (report: BenchReport) => number | null;
  text: (value: number) => string;
  /** Which way is better. */
  better: 'more' | 'less';
}>;

const ROWS: readonly Row[] = [
  { what: 'commands/s', of: ({ numbers }) => numbers.perSecond, text: perSecond, better: 'more' },
  { what: 'efficiency', of: ({ numbers }) => numbers.efficiency, text: percent, better: 'more' },
  time('submit → start p50', ({ numbers }) => numbers.submitToStart.p50),
  time('submit → start p99', ({ numbers }) => numbers.submitToStart.p99),
  time('submit → answer p50', ({ numbers }) => numbers.submitToAnswer.p50),
  time('submit → answer p99', ({ numbers }) => numbers.submitToAnswer.p99),
  time('hand-off p99', ({ numbers }) => (numbers.handOff.count === 0 ? null : numbers.handOff.p99)),
  { what: 'CPU %', of: ({ cpuPercent }) => cpuPercent, text: (value) => value.toFixed(0), better: 'less' },
  {
    what: 'memory, most, MB',
    of: ({ memory }) => memory.peakRssMb,
    text: (value) => value.toFixed(0),
    better: 'less',
  },
];

/** What a ratio must differ from 1 by to be more than noise. */
const NOISE = 0.05;

/** Two runs side by side, and what the second one is to the first. */
export type Comparison = Readonly<{
  ratios: Readonly<Record<string, number | null>>;
  /** Options in which the runs differ. */
  differ: readonly string[];
}>;

export function compareReports(a: BenchReport, b: BenchReport): Comparison {
  const keys = Object.keys(a.options) as (keyof BenchReport['options'])[];
  return {
    ratios: Object.fromEntries(ROWS.map(({ what, of }) => [what, ratio(of(a), of(b))])),
    differ: keys.filter((key) => JSON.stringify(a.options[key]) !== JSON.stringify(b.options[key])),
  };
}

export function compareView(a: BenchReport, b: BenchReport, look: Look): readonly Line[] {
  const { ratios, differ } = compareReports(a, b);
  const columns = [
    { title: '' },
    { title: 'A', align: 'right' },
    { title: 'B', align: 'right' },
    { title: 'B TO A', align: 'right' },
  ] as const;
  const cell = (value: number | null, text: Row['text']): string => (value === null ? '–' : text(value));
  const rows = ROWS.map(({ what, of, text, better }) => [
    what,
    cell(of(a), text),
    cell(of(b), text),
    ratioCell(ratios[what] ?? null, better),
  ]);
  return [
    headLine('A', a),
    headLine('B', b),
    BLANK,
    ...tableLines(columns, rows, look),
    BLANK,
    line(`Invariants: A ${holds(a) ? 'hold' : 'violated'}, B ${holds(b) ? 'hold' : 'violated'}`),
    ...(differ.length === 0 ? [] : [line(muted(`The runs differ in ${differ.join(', ')}`))]),
    ...(a.machine.cpu === b.machine.cpu && a.machine.cpus === b.machine.cpus
      ? []
      : [line(muted('They ran on different machines'))]),
  ];
}

function headLine(name: string, { options, numbers, startedAt }: BenchReport): Line {
  const { scenario, agents, backend, seed } = options;
  const ran = `${plural(numbers.commands, 'command')} of ${plural(agents, 'agent')}, ${backend}, seed ${seed}`;
  return line(as('bold', `${name} ${scenario}`), ` · ${ran} · `, muted(new Date(startedAt).toISOString()));
}

function ratioCell(value: number | null, better: Row['better']) {
  if (value === null) return '–';
  const text = ratioText(value);
  if (Math.abs(value - 1) < NOISE) return text;
  return as(value > 1 === (better === 'more') ? 'ok' : 'warn', text);
}

function ratio(a: number | null, b: number | null): number | null {
  return a === null || b === null || a === 0 ? null : b / a;
}

function time(what: string, of: Row['of']): Row {
  return { what, of, text: milliseconds, better: 'less' };
}
