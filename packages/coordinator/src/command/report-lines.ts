import { checkCounts, type CommandResult, type Execution, findingText, reportNote } from '@signalbox/core';

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
  const note = reportNote(report, exitCode);
  return [
    `${what}: ${checkCounts(report)} (${report.source})`,
    ...shown,
    ...(more > 0 && shown.length > 0 ? [`- and ${more} more`] : []),
    ...(note === null ? [] : [`note: ${note}`]),
  ];
}
