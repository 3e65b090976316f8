import { readFileSync } from 'node:fs';
import { checkCounts, type CheckReport } from '@signalbox/core';
import { expect, test } from 'vitest';
import { MAX_FINDINGS } from './findings.ts';
import { MAX_REPORT_CHARS, readLintReport, readTestReport, withPaths } from './read-report.ts';

/** What a real program wrote: `recorded/NAME.txt`. */
function recorded(name: string): string {
  return readFileSync(new URL(`../../recorded/${name}.txt`, import.meta.url), 'utf8');
}

/** What a real program printed, for the tests of filters. */
function printed(name: string): string {
  return readFileSync(new URL(`../../../filters/logs/${name}.txt`, import.meta.url), 'utf8');
}

function inWords(report: CheckReport | null): readonly string[] {
  if (report === null) return [];
  const first = report.first
    .slice(0, 2)
    .map(({ path = '', line, name, message }) =>
      [line === undefined ? path : `${path}:${line}`, name, message].join(' | ').slice(0, 100),
    );
  return [`${report.source}: ${checkCounts(report)}`, ...first];
}

test.for<[string, string, readonly string[]]>([
  [
    'vitest-json',
    'vitest JSON: 2 failed, 1 passed, 1 skipped',
    [
      "/shop/broken.test.ts | could not be run | Cannot find module './missing.ts' imported from /shop/brok",
      '/shop/cart.test.ts:4 | cart > adds wrong | AssertionError: expected 3 to be 4 // Object.is equality',
    ],
  ],
  [
    'jest-json',
    'jest JSON: 2 failed, 1 passed, 1 skipped',
    [
      '/shop/cart.test.js:3 | cart > adds wrong | Error: expect(received).toBe(expected) // Object.is equal',
      '/shop/broken.test.js | could not be run | ● Test suite failed to run',
    ],
  ],
  [
    'mocha-json',
    'mocha JSON: 1 failed, 1 passed, 1 skipped',
    ['/shop/moc/cart.spec.cjs:4 | cart adds wrong | 3 == 4'],
  ],
  [
    'pytest-junit',
    'JUnit XML: 1 failed, 1 passed, 1 skipped',
    ['test_cart.py:10 | test_cart > test_adds_wrong | AssertionError: sum & <difference>'],
  ],
  [
    'node-junit',
    'JUnit XML: 1 failed, 1 passed, 1 skipped',
    ['/shop/cart.test.mjs:5 | cart > adds wrong | 3 == 4'],
  ],
  ['node-tap', 'TAP: 1 failed, 1 passed, 1 skipped', ['/shop/cart.test.mjs:5 | adds wrong | 3 == 4']],
  [
    'go-test-json',
    'go test -json: 1 failed, 2 passed, 1 skipped',
    ['cart_test.go:14 | example.com/shop TestGroups/small | got 3, want 4'],
  ],
  ['go-test', 'output of go test: 1 failed', ['cart_test.go:14 | TestGroups/small | got 3, want 4']],
  [
    'cargo-test',
    'output of cargo test: 1 failed, 1 passed, 1 skipped',
    ['src/lib.rs:14 | tests::adds_wrong | assertion `left == right` failed: sum'],
  ],
])('a report of tests is read as its program wrote it: %s (M6)', ([name, counts, first]) => {
  expect(inWords(readTestReport(recorded(name)))).toEqual([counts, ...first]);
});

test.for<[string, string, RegExp]>([
  ['vitest', 'output of vitest: 2 failed, 190 passed', /^src\/part-2\.test\.ts:47 \| .*> doubles 5 \| /],
  [
    'jest-v',
    'output of jest: 2 failed, 190 passed',
    /^part-4\.test\.js:8 \| price of part 4\.0 › doubles 1 \| exp/,
  ],
  [
    'mocha',
    'output of mocha: 2 failed, 190 passed',
    /^moch\/part-2\.spec\.cjs:47 \| price of part 2\.1 doubles 5 \| /,
  ],
  [
    'node-test',
    'output of Node.js: 2 failed, 142 passed',
    /^test\/part-2\.test\.js:47 \| doubles 5 \| Assertion/,
  ],
  ['node-test-tap', 'TAP: 2 failed, 142 passed', /part-2\.test\.js:47 \| doubles 5 \| Expected values/],
  [
    'pytest',
    'output of pytest: 3 failed, 179 passed',
    /^test_errors\.py \| test_errors\.py::test_raises_type_error \| Type/,
  ],
  [
    'go-test-v',
    'output of go test: 2 failed, 66 passed',
    /^price_test\.go:49 \| TestDoubles7 \| Of\(7\) = 14/,
  ],
  [
    'cargo-test',
    'output of cargo test: 2 failed, 58 passed',
    /^src\/lib\.rs:\d+ \| tests::doubles_31 \| assertion/,
  ],
])('what %s prints for people is read too', ([name, counts, first]) => {
  const [head, one] = inWords(readTestReport(printed(name)));
  expect(head).toBe(counts);
  expect(one).toMatch(first);
});

test.for<[string, string, string]>([
  [
    'eslint-json',
    'eslint JSON: 2 errors, 1 warning',
    "/shop/a.js:2 | no-unused-vars | 'unused' is assigned a value but never used.",
  ],
  [
    'oxlint-json',
    'diagnostics JSON: 0 errors, 2 warnings',
    'a.js:1 | eslint(no-debugger) | `debugger` statement is not allowed',
  ],
  [
    'oxlint',
    'output of the linter: 0 errors, 2 warnings',
    'a.js:1 | no-debugger | `debugger` statement is not allowed',
  ],
  [
    'biome-json',
    'diagnostics JSON: 3 errors, 2 warnings',
    'b.js:1 | lint/suspicious/noDebugger | This is an unexpected use of the debugger statement.',
  ],
  [
    'biome',
    'output of the linter: 3 errors, 2 warnings',
    'b.js:1 | lint/suspicious/noDebugger | This is an unexpected use of the debugger statement.',
  ],
  ['clippy', 'output of the linter: 0 errors, 1 warning', 'src/lib.rs:2 |  | unused variable: `unused`'],
  [
    'cargo-json',
    'cargo JSON: 0 errors, 1 warning',
    'src/lib.rs:2 | unused_variables | unused variable: `unused`',
  ],
])('findings of a linter are read as it wrote them: %s (M6)', ([name, counts, first]) => {
  expect(inWords(readLintReport(recorded(name))).slice(0, 2)).toEqual([counts, first]);
});

test.for<[string, string, readonly string[]]>([
  [
    'ruff JSON',
    '[{"code":"F401","filename":"/shop/a.py","location":{"row":1,"column":8},"message":"`os` imported but unused"}]',
    ['ruff JSON: 1 error, 0 warnings', '/shop/a.py:1 | F401 | `os` imported but unused'],
  ],
  [
    'mypy JSON',
    '{"file": "a.py", "line": 3, "column": 4, "message": "Bad return", "hint": null, "code": "return-value", "severity": "error"}\n' +
      '{"file": "a.py", "line": 3, "column": 4, "message": "See", "hint": null, "code": null, "severity": "note"}\n',
    ['mypy JSON: 1 error, 0 warnings', 'a.py:3 | return-value | Bad return'],
  ],
  [
    'golangci-lint JSON',
    '{"Issues":[{"FromLinter":"errcheck","Text":"Error return value is not checked","Severity":"","Pos":{"Filename":"a.go","Line":7}}]}',
    ['golangci-lint JSON: 1 error, 0 warnings', 'a.go:7 | errcheck | Error return value is not checked'],
  ],
  [
    'SARIF',
    '{"version":"2.1.0","runs":[{"results":[{"ruleId":"R1","level":"error","message":{"text":"Bad"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///shop/a%20b.ts"},"region":{"startLine":4}}}]}]}]}',
    ['SARIF: 1 error, 0 warnings', '/shop/a b.ts:4 | R1 | Bad'],
  ],
  [
    'pyright JSON',
    '{"generalDiagnostics":[{"file":"/shop/a.py","severity":"error","message":"Unknown","rule":"reportX","range":{"start":{"line":4}}}]}',
    ['pyright JSON: 1 error, 0 warnings', '/shop/a.py:5 | reportX | Unknown'],
  ],
  [
    'stylelint JSON',
    '[{"source":"/shop/a.css","warnings":[{"line":2,"rule":"color-no-invalid-hex","severity":"error","text":"Unexpected"}]}]',
    ['stylelint JSON: 1 error, 0 warnings', '/shop/a.css:2 | color-no-invalid-hex | Unexpected'],
  ],
  [
    'lines with path and rule',
    'a.py:1:8: F401 [*] `os` imported but unused\nb.py:3: error: Bad return  [return-value]\nc.go:7:2: not checked (errcheck)\nFound 3 errors.\n',
    [
      'output of the linter: 3 errors, 0 warnings',
      'a.py:1 | F401 | `os` imported but unused',
      'b.py:3 | return-value | Bad return',
    ],
  ],
  [
    'ruff in full',
    'F401 [*] `os` imported but unused\n --> a.py:1:8\n  |\n1 | import os\n',
    ['output of the linter: 1 error, 0 warnings', 'a.py:1 | F401 | `os` imported but unused'],
  ],
])('findings in the documented form are read: %s', ([, text, words]) => {
  expect(inWords(readLintReport(text))).toEqual(words);
});

test.for<[string, string, string]>([
  [
    'eslint',
    'output of the linter: 145 errors, 0 warnings',
    "/home/ana/shop/jest/part-0.test.js:1 | no-undef | 'require' is not defined",
  ],
  [
    'tsc',
    'output of the linter: 3 errors, 0 warnings',
    "src/wrong.ts:2 | TS2322 | Type 'number' is not assignable to type 'string'.",
  ],
])('what %s prints for people is read too', ([name, counts, first]) => {
  expect(inWords(readLintReport(printed(name))).slice(0, 2)).toEqual([counts, first]);
});

test('a clean report has no findings, and an output without a report is none', () => {
  expect(inWords(readLintReport('[]'))).toEqual(['eslint JSON: 0 errors, 0 warnings']);
  for (const text of ['', 'All good\n', '{}', '[1]', '{"a":', '<html></html>']) {
    expect(readTestReport(text)).toBeNull();
    expect(text === '' ? null : readLintReport(text)).toBeNull();
  }
});

test('a report between lines of other programs is found', () => {
  const text = `\n> shop@1.0.0 test\n> vitest run --reporter=json\n\n${recorded('vitest-json')}\nDone.\n`;
  expect(readTestReport(text)).toMatchObject({ source: 'vitest JSON', failed: 2 });
});

test('a torn report is none', () => {
  for (const name of ['vitest-json', 'jest-json', 'pytest-junit', 'node-junit'])
    expect(readTestReport(recorded(name).slice(0, -40))).toBeNull();
  expect(readLintReport(recorded('eslint-json').slice(0, -40))).toBeNull();
});

test('at most 20 findings are listed, each cut, and all are counted', () => {
  const cases = Array.from(
    { length: 100 },
    (_, at) =>
      `<testcase name="${'n'.repeat(2000)}${at}"><failure message="${'m'.repeat(2000)}"/></testcase>`,
  );
  const report = readTestReport(`<testsuite>${cases.join('')}</testsuite>`);
  expect(report).toMatchObject({ failed: 100 });
  expect(report?.first).toHaveLength(MAX_FINDINGS);
  expect(report?.first[0]?.name.length).toBeLessThan(310);
  expect(report?.first[0]?.message.length).toBeLessThan(310);
});

test('a report that is too long is not read', () => {
  expect(readTestReport(`${' '.repeat(MAX_REPORT_CHARS)}${recorded('vitest-json')}`)).toBeNull();
});

test('paths are those of the workspace, and one outside stays as it is', () => {
  const report = readTestReport(recorded('vitest-json'));
  if (report === null) throw new Error('no report');
  const named = withPaths(report, (path) => (path.includes('cart') ? 'cart.test.ts' : null));
  expect(named.first.map(({ path }) => path)).toEqual(['/shop/broken.test.ts', 'cart.test.ts']);
});
