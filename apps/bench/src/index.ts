export type { BenchRuntime, BenchWorld, BenchRedisAddress } from './bench-world.ts';
export { invariantText } from './checks/invariant.ts';
export type { MeterSample } from './measure/create-meter.ts';
export type { Quantiles } from './measure/quantiles.ts';
export { runNode } from './nodes/run-node.ts';
export {
  type GivenOptions,
  BENCH_BOUNDS,
  type BenchOptions,
  benchOptions,
  TRANSPORTS,
  mixText,
} from './plan/bench-options.ts';
export { commandLineOf } from './plan/command-line.ts';
export { BenchReport, holds } from './report/bench-report.ts';
export { compareReports, type ReportMetric, MEASURES } from './report/compare-reports.ts';
export { milliseconds, percent, perSecond, ratioText } from './report/number-text.ts';
export { checkReportFiles, keepReport, readReport, type ReportFiles } from './report/report-files.ts';
export { baselineRows, TIME_TITLES, timeRows } from './report/report-rows.ts';
export { type BenchRun, runBench } from './run-bench.ts';
