import { type BenchReport } from './bench-report.ts';
import { milliseconds, perSecond, percent } from './number-text.ts';

/** One metric that two runs are compared by. */
export type ReportMetric = Readonly<{
  name: string;
  of: (report: BenchReport) => number | null;
  text: (value: number) => string;
  better: 'more' | 'less';
}>;

export const MEASURES: readonly ReportMetric[] = [
  { name: 'commands/s', of: ({ numbers }) => numbers.perSecond, text: perSecond, better: 'more' },
  { name: 'efficiency', of: ({ numbers }) => numbers.efficiency, text: percent, better: 'more' },
  time('submit → start p50', ({ numbers }) => numbers.submitToStart.p50),
  time('submit → start p99', ({ numbers }) => numbers.submitToStart.p99),
  time('submit → answer p50', ({ numbers }) => numbers.submitToAnswer.p50),
  time('submit → answer p99', ({ numbers }) => numbers.submitToAnswer.p99),
  time('hand-off p99', ({ numbers }) => (numbers.handOff.count === 0 ? null : numbers.handOff.p99)),
  { name: 'CPU %', of: ({ cpuPercent }) => cpuPercent, text: whole, better: 'less' },
  { name: 'memory, most, MB', of: ({ memory }) => memory.peakRssMb, text: whole, better: 'less' },
];

/** The second of two runs relative to the first. */
export type Comparison = Readonly<{
  ratios: Readonly<Record<string, number | null>>;
  /** Options in which the runs differ. */
  differ: readonly string[];
}>;

export function compareReports(a: BenchReport, b: BenchReport): Comparison {
  const keys = Object.keys(a.options) as (keyof BenchReport['options'])[];
  return {
    ratios: Object.fromEntries(MEASURES.map(({ name, of }) => [name, ratio(of(a), of(b))])),
    differ: keys.filter((key) => JSON.stringify(a.options[key]) !== JSON.stringify(b.options[key])),
  };
}

function ratio(a: number | null, b: number | null): number | null {
  return a === null || b === null || a === 0 ? null : b / a;
}

function time(name: string, of: ReportMetric['of']): ReportMetric {
  return { name, of, text: milliseconds, better: 'less' };
}

function whole(value: number): string {
  return value.toFixed(0);
}
