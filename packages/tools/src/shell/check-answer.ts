import { type CheckReport, type Execution, type Files, ToolFailure, type ToolAnswer } from '@signalbox/core';
import { readLintReport, readTestReport, reportAmong, withPaths } from '../checks/read-report.ts';
import { programAnswer } from './program-answer.ts';

/**
 * The answer of a tool that ran the workspace's tests or its linter, with what those reported: in a report of their own,
 * otherwise in what they printed. Without a report it is the answer of any program.
 */
export function checkAnswer(
  execution: Execution,
  kind: CheckReport['kind'],
  { files }: { readonly files: Pick<Files, 'normalise'> },
): ToolAnswer {
  const answer = programAnswer(execution);
  // A program that was stopped has not reported everything.
  if (execution.ended.kind !== 'exited') return answer;
  const read = kind === 'tests' ? readTestReport : readLintReport;
  const ending = { hasFailed: execution.ended.exitCode !== 0 };
  const report = reportAmong(
    reportsIn(textsOf(execution), (text) => read(text, ending)),
    ending,
  );
  if (report === null) return answer;
  return { ...answer, report: withPaths(report, (path) => pathIn(path, files)) };
}

/** Read one after the other, as far as they are needed. */
function* reportsIn(
  texts: readonly string[],
  read: (text: string) => CheckReport | null,
): Iterable<CheckReport | null> {
  for (const text of texts) yield read(text);
}

/** In which a report is looked for. A stream whose middle was left out may have lost a part of it. */
function textsOf({ report, stdout, stderr }: Execution): readonly string[] {
  const printed = [stdout, stderr].filter(({ truncated }) => !truncated).map(({ text }) => text);
  return report?.kind === 'read' ? [report.text, ...printed] : printed;
}

function pathIn(path: string, files: Pick<Files, 'normalise'>): string | null {
  try {
    return files.normalise(path);
  } catch (error) {
    if (error instanceof ToolFailure) return null;
    throw error;
  }
}
