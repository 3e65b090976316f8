import type { CheckFinding, CheckReport } from '@signalbox/core';
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

/**
 * The results of tests in a report or in what a program printed; null when it holds none that can be read. Never throws,
 * and takes time in proportion to the text, whoever wrote it.
 */
export function readTestReport(text: string): CheckReport | null {
  return guarded(text, () => {
    const documents = jsonDocuments(text);
    for (const document of documents) {
      const found = testsInJson(document);
      if (found !== null) return found;
    }
    return junitResults(text) ?? goTestEvents(documents) ?? tapResults(text) ?? testsInText(text);
  });
}

/** What a linter found, likewise. */
export function readLintReport(text: string): CheckReport | null {
  return guarded(text, () => findingsInJson(jsonDocuments(text)) ?? findingsInText(text));
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
