import { type CheckFinding, type CheckReport, isClean } from '@signalbox/core';
import { goTestEvents } from './go-test.ts';
import { jsonDocuments } from './json-documents.ts';
import { junitResults } from './junit.ts';
import { findingsInJson } from './lint-json.ts';
import { findingsInText } from './lint-text.ts';
import { tapResults } from './tap.ts';
import { testsInJson } from './test-json.ts';
import { testsInText } from './test-text.ts';

/** Longer texts are not read: a report of that size is not one that a model or a person reads. */
export const MAX_REPORT_CHARS = 16 * 1024 * 1024;

/** How the program ended: of several reports, one with failures then counts rather than one that a test has printed. */
type Ending = { readonly hasFailed: boolean };

/**
 * The results of tests in a report or in what a program printed; null when it holds none that can be read. Never throws,
 * and takes time in proportion to the text, whoever wrote it.
 */
export function readTestReport(
  text: string,
  { hasFailed }: Ending = { hasFailed: false },
): CheckReport | null {
  return guarded(text, () => reportAmong(testReports(text), { hasFailed }));
}

function* testReports(text: string): Iterable<CheckReport | null> {
  const documents = jsonDocuments(text);
  yield* testsInJson(documents);
  yield junitResults(text);
  yield goTestEvents(documents);
  yield tapResults(text);
  yield* testsInText(text);
}

/** What a linter found, likewise. */
export function readLintReport(
  text: string,
  { hasFailed }: Ending = { hasFailed: false },
): CheckReport | null {
  return guarded(text, () => reportAmong(lintReports(text), { hasFailed }));
}

function* lintReports(text: string): Iterable<CheckReport | null> {
  yield findingsInJson(jsonDocuments(text));
  yield findingsInText(text);
}

/** The first report; of a program that failed, the first with failures, if there is one. */
export function reportAmong(found: Iterable<CheckReport | null>, { hasFailed }: Ending): CheckReport | null {
  let first: CheckReport | null = null;
  for (const report of found) {
    if (report === null) continue;
    if (!hasFailed || !isClean(report)) return report;
    first ??= report;
  }
  return first;
}

function guarded(text: string, read: () => CheckReport | null): CheckReport | null {
  if (text.length > MAX_REPORT_CHARS) return null;
  try {
    return read();
  } catch {
    // Whatever the reason, the model reads the output itself.
    return null;
  }
}

/** The report with paths as the workspace knows them. @param toPath null for one that is outside. */
export function withPaths(report: CheckReport, toPath: (path: string) => string | null): CheckReport {
  const first = report.first.map((one): CheckFinding => {
    if (one.path === undefined) return one;
    return { ...one, path: toPath(one.path) ?? one.path };
  });
  return { ...report, first };
}
