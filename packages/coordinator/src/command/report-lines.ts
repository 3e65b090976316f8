import {
  checkCounts,
  type CheckReport,
  type CommandResult,
  type Execution,
  findingText,
  isClean,
} from '@signalbox/core';

/** The result's record lists more. */
const MAX_SHOWN = 8;

/** What tests or a linter reported, for the model: counts, then the first failures with their places. */
export function reportLines(
  { report, exitCode }: Pick<CommandResult, 'report' | 'exitCode'>,
  { report: written }: Pick<Execution, 'report'>,
): readonly string[] {
  if (report === undefined)
    return written?.kind === 'none' ? [`report: none could be read: ${written.why}; its output follows`] : [];
  const what = report.kind === 'tests' ? 'tests' : 'findings';
  const count = report.kind === 'tests' ? report.failed : report.errors + report.warnings;
  const shown = report.first.slice(0, MAX_SHOWN).map((one) => `- ${findingText(one)}`);
  const more = count - shown.length;
  return [
    `${what}: ${checkCounts(report)} (${report.source})`,
    ...shown,
    ...(more > 0 && shown.length > 0 ? [`- and ${more} more`] : []),
    ...disagreement(report, exitCode),
  ];
}

/** The two are about the same run: where they differ, the model is told (M6). Warnings alone may fail a linter. */
function disagreement(report: CheckReport, exitCode: number | null): readonly string[] {
  if (exitCode === 0)
    return isClean(report) ? [] : ['note: the exit code is 0 although this report has failures'];
  const isSilent = isClean(report) && !(report.kind === 'findings' && report.warnings > 0);
  return isSilent
    ? [`note: nothing failed by this report, but the exit code is ${exitCode}: read the output`]
    : [];
}
