import { describe, expect, test } from 'vitest';
import { filterText } from '../filter-text.ts';
import { BUILT_IN_FILTERS } from './built-in-filters.ts';

/** What a filter leaves of a line among lines that it leaves out. */
function isKept(name: string, line: string): boolean {
  const filter = BUILT_IN_FILTERS.find((one) => one.name === name);
  if (filter === undefined) throw new Error(`no filter ${name}`);
  return filterText(`first of all\n${line}\nlast of all\n`, [filter]).text.includes(line);
}

describe('a filter leaves out what is well', () => {
  test.for<[string, string]>([
    ['pytest', 'test_a.py::test_b[error] PASSED                      [ 50%]'],
    ['pytest', 'test_a.py::test_b SKIPPED (needs a network)          [ 51%]'],
    ['pytest', '[gw0] [ 10%] PASSED test_a.py::test_fails'],
    ['pytest', 'test_error (shop.PriceTest.test_error) ... ok'],
    ['pytest', 'tests/test_a.py ..s..x                               [ 40%]'],
    ['cargo', 'test price::fails_on_error ... ok'],
    ['cargo', 'test slow ... ignored, takes an hour'],
    ['cargo', '   Compiling serde v1.0.1'],
    ['go', '    --- PASS: TestError/empty (0.00s)'],
    ['go', 'go: downloading golang.org/x/text v0.3.0'],
    ['vitest', '   ✓ cart > reports an error 12ms'],
    ['vitest', ' src/a.ts |     100 |      100 |     100 |     100 |'],
    ['jest', '    ✓ warns (3 ms)'],
    ['node-test', '  ✔ fails softly (0.1ms)'],
    ['npm-install', 'npm http fetch GET 200 https://registry.example.com/a 12ms (cache hit)'],
    ['npm-install', '62 packages are looking for funding'],
    ['pnpm-install', 'Progress: resolved 12, reused 3, downloaded 9, added 0'],
    ['pnpm-install', '   │   Update available! 10.0.0 → 10.1.0.   │'],
    ['yarn-install', "➤ YN0013: │ a@npm:1 can't be found in the cache and will be fetched"],
    ['pip-install', 'Collecting requests'],
    ['apt', 'Setting up golang-go (1.19) ...'],
    ['docker', '#7 sha256:0123456789ab 1.05MB / 3.2MB 0.3s'],
    ['git', 'remote: Counting objects: 100% (5/5), done.'],
    ['git', '  (use "git add <file>..." to update what will be committed)'],
  ])('%s: %j', ([name, line]) => {
    expect(isKept(name, line)).toBe(false);
  });
});

describe('a filter keeps what looks like that, but is not well', () => {
  test.for<[string, string]>([
    ['pytest', 'test_a.py::test_b[ PASSED ] FAILED                   [ 50%]'],
    ['pytest', 'test_a.py::test_b XPASS                              [ 50%]'],
    ['pytest', 'tests/test_a.py ..F..                                [ 40%]'],
    ['pytest', 'test_b (shop.PriceTest.test_b) ... FAIL'],
    ['cargo', 'test prints ... ok ... FAILED'],
    ['cargo', '   Compiling thiserror v1.0.1'],
    ['go', '    --- FAIL: TestError/empty (0.00s)'],
    ['vitest', 'All files |     100 |      100 |     100 |     100 |'],
    ['vitest', ' src/a.ts |   87.50 |      100 |     100 |   87.50 | 3-4'],
    ['npm-install', 'npm http fetch GET 404 https://registry.example.com/a 12ms'],
    ['npm-install', 'npm error code E404'],
    ['npm-install', '5 vulnerabilities (2 low, 3 high)'],
    ['pnpm-install', '   │   Ignored build scripts: esbuild.      │'],
    ['pip-install', "  Building wheel for a (pyproject.toml): finished with status 'error'"],
    ['apt', 'Setting up a (1.0) failed'],
    ['docker', '#7 0.512 npm error code 1'],
    ['git', 'hint: Updates were rejected because the tip of your current branch is behind'],
    ['git', 'Updating 1a2b3c4..5d6e7f8'],
    ['git', '\tmodified:   src/a.ts'],
  ])('%s: %j', ([name, line]) => {
    expect(isKept(name, line)).toBe(true);
  });
});

test('of deprecated packages the names stay, and every note on security', () => {
  const filter = BUILT_IN_FILTERS.find(({ name }) => name === 'npm-install');
  const printed = `npm warn deprecated a@1.0.0: use b
npm warn deprecated c@2.0.0: old
npm warn deprecated d@3.0.0: has a critical security vulnerability
added 3 packages in 1s
`;
  expect(filterText(printed, filter === undefined ? [] : [filter]).text)
    .toBe(`npm warn deprecated a@1.0.0 c@2.0.0
npm warn deprecated d@3.0.0: has a critical security vulnerability
added 3 packages in 1s
`);
});

test('a difference keeps all but the changes of lock files', () => {
  const filter = BUILT_IN_FILTERS.find(({ name }) => name === 'git-diff');
  const printed = `diff --git a/yarn.lock b/yarn.lock
index 1..2 100644
+a
-b
diff --git a/src/a.ts b/src/a.ts
+c
error: no newline
`;
  expect(filterText(printed, filter === undefined ? [] : [filter]).text)
    .toBe(`diff --git a/yarn.lock b/yarn.lock
[… 3 lines of a lock file left out]
diff --git a/src/a.ts b/src/a.ts
+c
error: no newline
`);
});

test('the failures that jest prints twice are read once, and those that it prints only at the end stay', () => {
  const jest = BUILT_IN_FILTERS.find(({ name }) => name === 'jest');
  const failure = (name: string): string =>
    `FAIL test/${name}.test.js\n  ● cart › ${name}\n\n    Expected: 2\n    Received: 3 in ${name}\n\n`;
  const end = 'Test Suites: 2 failed, 30 passed, 32 total\nTests:       2 failed, 80 passed, 82 total\n';
  const summary = `Summary of all failing tests\n${failure('adds')}${failure('pays')}${end}`;
  const read = (printed: string): string => filterText(printed, jest === undefined ? [] : [jest]).text;
  expect(read(`${failure('adds')}${failure('pays')}${summary}`)).toBe(
    `${failure('adds')}${failure('pays')}${end}`,
  );
  expect(read(`${failure('adds')}${summary}`).match(/Received: 3 in \w+/g)).toEqual([
    'Received: 3 in adds',
    'Received: 3 in pays',
  ]);
  expect(read(summary)).toBe(summary);
});
