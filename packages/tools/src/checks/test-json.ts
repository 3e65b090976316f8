import type { CheckReport } from '@signalbox/core';
import * as z from 'zod';
import { createFindings, placeIn } from './findings.ts';

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
  let brokenFiles = 0;
  for (const file of data.testResults) {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
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
    failed: data.numFailedTests + brokenFiles,
    skipped: data.numPendingTests + data.numTodoTests,
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
  const { passes: passed, failures: failed, pending: skipped } = data.stats;
  return { kind: 'tests', source: 'mocha JSON', first: findings.first, passed, failed, skipped };
}

/** A report of tests in one JSON document; null for any other document. */
export function testsInJson(value: unknown): CheckReport | null {
  return jest(value) ?? mocha(value);
}
