import type { CheckReport } from '@signalbox/core';
import * as z from 'zod';
import { createFindings, placeIn, toCount } from './findings.ts';
import { hasField } from './json-documents.ts';

const Text = z.string().nullish();
const Count = z.int().min(0);

/** `--reporter=json` of vitest and `--json` of jest, whose form it follows. */
const JestJson = z.object({
  numPassedTests: Count,
  numFailedTests: Count,
  numPendingTests: Count,
  numTodoTests: Count.default(0),
  wasInterrupted: z.unknown().optional(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: Text,
      message: Text,
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          ancestorTitles: z.array(z.string()).default([]),
          title: Text,
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          location: z.object({ line: z.number() }).nullish(),
        }),
      ),
    }),
  ),
});

function jest(value: unknown): CheckReport | null {
  const { data } = JestJson.safeParse(value);
  if (data === undefined) return null;
  const findings = createFindings();
  let [brokenFiles, failedTests] = [0, 0];
  for (const file of data.testResults) {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    failedTests += failed.length;
    for (const { fullName, ancestorTitles, title, failureMessages, location } of failed) {
      const message = failureMessages?.[0] ?? '';
      const place = placeIn(message, file.name);
      const name = title == null ? fullName : [...ancestorTitles, title].filter(Boolean).join(' > ');
      findings.add({ name, message, path: place.path, line: location?.line ?? place.line });
    }
    if (file.status === 'failed' && failed.length === 0) {
      brokenFiles += 1;
      findings.add({ name: 'could not be run', message: file.message ?? '', path: file.name });
    }
  }
  return {
    kind: 'tests',
    source: data.wasInterrupted === undefined ? 'vitest JSON' : 'jest JSON',
    first: findings.first,
    passed: data.numPassedTests,
    failed: toCount(Math.max(data.numFailedTests, failedTests) + brokenFiles),
    skipped: toCount(data.numPendingTests + data.numTodoTests),
  };
}

const MochaJson = z.object({
  stats: z.object({ passes: Count, failures: Count, pending: Count }),
  failures: z.array(
    z.object({
      fullTitle: z.string(),
      file: Text,
      err: z.object({ message: Text, stack: Text }).nullish(),
    }),
  ),
});

function mocha(value: unknown): CheckReport | null {
  const { data } = MochaJson.safeParse(value);
  if (data === undefined) return null;
  const findings = createFindings();
  for (const { fullTitle, file, err } of data.failures)
    findings.add({ name: fullTitle, message: err?.message ?? '', ...placeIn(err?.stack ?? '', file) });
  const { passes: passed, failures, pending: skipped } = data.stats;
  const failed = Math.max(failures, data.failures.length);
  return { kind: 'tests', source: 'mocha JSON', first: findings.first, passed, failed, skipped };
}

/** Documents with the fields of a report that are looked at: a program prints one, or one for each of its packages. */
const MAX_REPORTS = 100;

/** The reports of tests among JSON documents. */
export function* testsInJson(documents: readonly unknown[]): Iterable<CheckReport | null> {
  let reports = 0;
  for (const document of documents) {
    if (!hasField(document, 'testResults', 'stats')) continue;
    if (++reports > MAX_REPORTS) return;
    yield jest(document) ?? mocha(document);
  }
}
