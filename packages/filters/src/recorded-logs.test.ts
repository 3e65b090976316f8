import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { filtered, recordedLog } from './testing/recorded-log.ts';

type Recorded = Readonly<{
  log: string;
  line: string;
  filter: string;
  /** Least share of tokens that are saved, in percent. */
  saves: number;
  /** Names of failing tests, places and messages that a model needs. */
  keeps: readonly string[];
}>;

const LOGS: readonly Recorded[] = [
  {
    log: 'pytest-v',
    line: 'pytest -v',
    filter: 'pytest',
    saves: 85,
    keeps: [
      'test_errors.py::test_raises_type_error FAILED',
      "E       TypeError: '<' not supported between instances of 'NoneType' and 'int'",
      'shop.py:2: TypeError',
      'test_part_3.py:27: AssertionError',
      'FAILED test_part_7.py::test_price_7_5 - assert 10 == 11',
      'DeprecationWarning: old api',
      '3 failed, 179 passed, 1 warning',
    ],
  },
  {
    log: 'pytest',
    line: 'make check',
    filter: 'pytest',
    saves: 40,
    keeps: [
      'test_errors.py:13:',
      'FAILED test_part_3.py::test_price_3_5 - assert 10 == 11',
      'DeprecationWarning: old api',
    ],
  },
  {
    log: 'node-test',
    line: 'npm test',
    filter: 'node-test',
    saves: 75,
    keeps: [
      '✖ doubles 5',
      'test at test/part-2.test.js:47:3',
      'test/part-2.test.js:48:12',
      'test at test/part-4.test.js:9:3',
      'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
      '10 !== 11',
      'ℹ fail 2',
    ],
  },
  {
    log: 'node-test-tap',
    line: 'node --test --test-reporter=tap',
    filter: 'node-test',
    saves: 85,
    keeps: [
      'not ok 6 - doubles 5',
      "location: '/home/ana/shop/test/part-4.test.js:9:3'",
      'expected: 11',
      '# fail 2',
    ],
  },
  {
    log: 'cargo-test',
    line: 'cargo test',
    filter: 'cargo',
    saves: 60,
    keeps: [
      'warning: unused variable: `unused`',
      ' --> src/lib.rs:2:9',
      'test tests::doubles_7 ... FAILED',
      'test tests::doubles_31 ... FAILED',
      'test result: FAILED. 58 passed; 2 failed',
    ],
  },
  {
    log: 'vitest-v',
    line: 'vitest run --reporter=verbose',
    filter: 'vitest',
    saves: 85,
    keeps: [
      '× src/part-2.test.ts > price of part 2.1 > doubles 5',
      ' FAIL  src/part-4.test.ts > price of part 4.0 > doubles 1',
      'AssertionError: expected 10 to be 11',
      ' ❯ src/part-2.test.ts:47:22',
      'Tests  2 failed | 190 passed (192)',
    ],
  },
  {
    log: 'vitest',
    line: 'npm test',
    filter: 'vitest',
    saves: 60,
    keeps: [
      '× price of part 2.1 > doubles 5',
      ' ❯ src/part-4.test.ts:9:22',
      '     47|     expect(price(5)).toBe(11);',
    ],
  },
  {
    log: 'jest-v',
    line: 'jest --verbose',
    filter: 'jest',
    saves: 75,
    keeps: [
      'FAIL jest/part-4.test.js',
      '✕ doubles 1',
      '  ● price of part 2.1 › doubles 5',
      '      at Object.toBe (part-2.test.js:46:22)',
      'Tests:       2 failed, 190 passed, 192 total',
    ],
  },
  {
    log: 'mocha',
    line: 'mocha',
    filter: 'node-test',
    saves: 70,
    keeps: [
      '1) doubles 5',
      '2) doubles 1',
      '2 failing',
      'AssertionError [ERR_ASSERTION]',
      'part-2.spec.cjs:47:12',
    ],
  },
  {
    log: 'eslint',
    line: 'eslint jest',
    filter: 'eslint',
    saves: 65,
    keeps: ["1:19  error  'require' is not defined", '✖ 417 problems'],
  },
  {
    log: 'npm-http',
    line: 'npm install --loglevel http',
    filter: 'npm-install',
    saves: 95,
    keeps: [
      'added 409 packages in',
      'npm warn install-scripts   esbuild@0.28.2 (postinstall: node install.js)',
    ],
  },
  {
    log: 'apt-install',
    line: 'apt-get install -y golang-go',
    filter: 'apt',
    saves: 70,
    keeps: ['golang-1.19-go golang-1.19-src golang-go golang-src', '0 upgraded, '],
  },
  {
    log: 'go-test-v',
    line: 'go test -v ./...',
    filter: 'go',
    saves: 80,
    keeps: [
      '--- FAIL: TestDoubles7',
      'price_test.go:',
      '--- FAIL: TestDoubles31',
      'FAIL\texample.com/shop/price',
    ],
  },
  {
    log: 'git-diff',
    line: 'git diff',
    filter: 'git-diff',
    saves: 95,
    keeps: [
      '+more',
      '+  "version": "1.1.0"',
      'diff --git a/package-lock.json b/package-lock.json',
      ' lines of a lock file left out',
    ],
  },
];

describe('a recorded log', () => {
  test.for(LOGS)(
    'of $line is shorter and keeps what failed (S001-43): $log',
    ({ log, line, filter, saves, keeps }) => {
      const printed = recordedLog(log);
      const result = filtered(line, printed);
      expect(result?.use.filter).toBe(filter);
      const { keptTokens = 0, savedTokens = 0 } = result?.use ?? {};
      expect((savedTokens / (keptTokens + savedTokens)) * 100).toBeGreaterThanOrEqual(saves);
      for (const kept of keeps) expect(result?.stdout).toContain(kept);
      // What is filtered already stays as it is.
      const again = filtered(line, result?.stdout ?? '');
      expect(again?.stdout ?? result?.stdout).toBe(result?.stdout);
    },
  );

  test('of tests and installs saves 70 % of the tokens in all, and keeps each failing test and each place (S001-43, M5)', () => {
    const runs = LOGS.filter(({ filter }) => !['eslint', 'git-diff'].includes(filter));
    const tokens = { kept: 0, saved: 0 };
    for (const { log, line } of runs) {
      const printed = recordedLog(log);
      const { stdout = '', use } = filtered(line, printed) ?? {};
      tokens.kept += use?.keptTokens ?? 0;
      tokens.saved += use?.savedTokens ?? 0;
      const lost = [...failuresIn(printed)].filter((one) => !stdout.includes(one));
      expect([log, failuresIn(printed).size > 0, lost]).toEqual([
        log,
        !log.includes('install') && log !== 'npm-http',
        [],
      ]);
    }
    expect(runs).toHaveLength(12);
    expect(tokens.saved / (tokens.kept + tokens.saved)).toBeGreaterThanOrEqual(0.7);
  });

  test('of a git status keeps every file, and loses the advice', () => {
    const printed = recordedLog('git-status');
    const result = filtered('git status', printed);
    expect(result?.stdout).not.toContain('use "git');
    for (const line of printed.split('\n').filter((one) => one.startsWith('\t')))
      expect(result?.stdout).toContain(line);
    expect(result?.use.confidence).toBe('full');
  });
});

/** Names of failing tests, by the signs of each runner, and places in files. */
const FAILED = [
  /(?:^|\s)([\w./-]+::\S+) FAILED/,
  /^FAILED (\S+)/,
  /^\s*[✖×✕] (.+?)(?: \d.*| \([\d.]+ ?ms\))?$/,
  /^\s*not ok \d+ - (.+)$/,
  /^\s*--- FAIL: (\w+)/,
  /^test (\S+) \.\.\. FAILED/,
  /^\s*\d+\) (\w.*)$/,
];
const PLACE = /[\w./-]+\.(?:py|[cm]?[jt]s|rs|go):\d+(?::\d+)?/g;
/** The runner's own code, of which a stack trace says nothing about the tests. */
const OWN_CODE = /node:internal|node_modules|\/rustc\//;

function failuresIn(printed: string): ReadonlySet<string> {
  const lines = stripVTControlCharacters(printed).split('\n');
  const names = lines.flatMap((line) => FAILED.flatMap((sign) => sign.exec(line)?.[1]?.trim() ?? []));
  const places = lines.filter((line) => !OWN_CODE.test(line)).flatMap((line) => line.match(PLACE) ?? []);
  return new Set([...names, ...places]);
}
