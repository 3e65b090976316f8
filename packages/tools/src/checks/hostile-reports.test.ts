import { CheckReport } from '@signalbox/core';
import { expect, test } from 'vitest';
import { readLintReport, readTestReport } from './read-report.ts';

const suite = (text: string, attributes = ''): string =>
  `<testsuites${attributes}><testsuite name="a">${text}</testsuite></testsuites>`;
const jest = (more: object): string =>
  JSON.stringify({ numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, testResults: [], ...more });
const FAILURE = '<testcase name="real"><failure message="m"/></testcase>';

test.for<[string, string, number]>([
  ['TAP: a test printed a deeper result', 'TAP version 13\nok 1 - a\n    ok 1 - b\nnot ok 2 - c\n1..2\n', 1],
  ['TAP: a group failed by its hook', '    ok 1 - a\n    1..1\nnot ok 1 - group\n1..1\n', 1],
  ['TAP: a group failed with its test', '    not ok 1 - a\n    1..1\nnot ok 1 - group\n1..1\n', 1],
  ['jest: fewer failures than it lists', jest({ testResults: [file('failed', 'failed')] }), 2],
  ['mocha: fewer failures than it lists', mocha(), 1],
  ['JUnit: the root counts failures', suite('<testcase name="x"/>', ' failures="2" errors="1"'), 3],
  ['JUnit: a suite failed outside of its tests', suite('<error message="m"/><testcase name="x"/>'), 1],
  ['JUnit: a test within a test', suite(FAILURE.replace('/><', '/><testcase name="x"/><')), 1],
  ['JUnit: a name space', suite(FAILURE.replace('<failure', '<x:failure')), 1],
  ['JUnit: failed, then skipped', suite(FAILURE.replace('/><', '/><skipped/><')), 1],
  ['JUnit: a second document', `${suite('<testcase name="x"/>')}${' '.repeat(70_000)}\n${suite(FAILURE)}`, 1],
  ['go: failed, then passed', goEvents('fail', 'pass'), 1],
])('a failure that a report holds is counted: %s (M6)', ([, text, failed]) => {
  expect(readTestReport(text)?.kind === 'tests' && readTestReport(text)).toMatchObject({ failed });
});

test.for<[string, string]>([
  ['JSON', `${jest({})}\n Tests  1 failed | 2 passed (3)\n`],
  ['a summary of another runner', ' Tests  3 passed (3)\nTests:       1 failed, 2 passed, 3 total\n'],
  [
    'a summary of cargo',
    'test result: ok. 3 passed; 0 failed; 0 ignored;\n=== 1 failed, 2 passed in 0.1s ===\n',
  ],
  ['many summaries', ` Tests  1 failed (1)\n${' Tests  1 passed (1)\n'.repeat(9)}`],
])(
  'of a run that failed, a report with failures counts rather than %s that a test printed (M6)',
  ([, text]) => {
    expect(readTestReport(text)).toMatchObject({ failed: 0 });
    expect(readTestReport(text, { hasFailed: true })).toMatchObject({ failed: 1 });
  },
);

test('counts of any size make a report that can be stored', () => {
  const max = Number.MAX_SAFE_INTEGER;
  const text = jest({ numFailedTests: max, numPendingTests: max, numTodoTests: max, testResults: [file()] });
  const report = readTestReport(text);
  expect(CheckReport.safeParse(report)).toMatchObject({ success: true, data: { failed: max, skipped: max } });
});

test.for(['{}', '[{}]', '{"stats":1}', '{"testResults":1}', '{"file":1}', '{"Package":1}'])(
  '100,000 lines with a document that is no report, %s, take a small multiple of the time to parse them',
  (line) => {
    const text = `${line}\n`.repeat(100_000);
    const parsing = processorTime(() =>
      text.split('\n', 100_000).forEach((one) => JSON.parse(one) as unknown),
    );
    const reading = processorTime(() => {
      expect(readTestReport(text, { hasFailed: true })).toBeNull();
      expect(readLintReport(text, { hasFailed: true })).toBeNull();
    });
    // A schema for each of them takes 400 times as long.
    expect(reading / parsing).toBeLessThan(100);
  },
);

/** In milliseconds; the least of three. */
function processorTime(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...times);
}

function file(...statuses: readonly string[]): object {
  const assertionResults = statuses.map((status) => ({ fullName: 'x', status }));
  return { name: 'a.test.ts', status: 'failed', assertionResults };
}

function mocha(): string {
  return JSON.stringify({ stats: { passes: 1, failures: 0, pending: 0 }, failures: [{ fullTitle: 'x' }] });
}

function goEvents(...actions: readonly string[]): string {
  const events = actions.map((Action) => ({ Action, Package: 'p', Test: 'T' }));
  return [...events, { Action: 'output', Package: 'p' }].map((event) => JSON.stringify(event)).join('\n');
}

test('a document type, entities and deep nesting in XML are not followed', () => {
  const entities = `<?xml version="1.0"?><!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
<testsuites><testcase name="x"><failure message="m">&b;&f;</failure></testcase></testsuites>`;
  expect(JSON.stringify(readTestReport(entities))).not.toMatch(/aaaa|root:/);
  expect(readTestReport(`<testsuites>${'<testsuite>'.repeat(100_000)}`)).toBeNull();
});
